//! How a body is encoded: as it is, in UTF-8. Nothing else is taken, rather than misread.

use axum::http::{HeaderMap, HeaderName, header};

use crate::domain::refusal::{Code, Refusal};

/// Whether a body with these headers can be read.
///
/// # Errors
/// `UnsupportedMediaType`, naming the header and what is taken.
pub fn check_encoding(headers: &HeaderMap) -> Result<(), Refusal> {
    let encodings = texts(headers, &header::CONTENT_ENCODING);
    let mut encodings = encodings.iter().flat_map(|text| text.split(',')).map(str::trim);
    let is_plain = |encoding: &str| encoding.is_empty() || encoding.eq_ignore_ascii_case("identity");
    if let Some(encoding) = encodings.find(|encoding| !is_plain(encoding)) {
        let message = format!("A body in {} is not taken; send it as it is.", shown(encoding));
        return Err(Refusal::at(Code::UnsupportedMediaType, "Content-Encoding", message));
    }
    let types = texts(headers, &header::CONTENT_TYPE);
    let mut charsets = types.iter().flat_map(|text| text.split(';').skip(1)).filter_map(charset);
    let is_utf_8 = |charset: &str| ["utf-8", "utf8"].iter().any(|name| charset.eq_ignore_ascii_case(name));
    if let Some(charset) = charsets.find(|charset| !is_utf_8(charset)) {
        let message = format!("A body in {} is not taken; send it in UTF-8.", shown(charset));
        return Err(Refusal::at(Code::UnsupportedMediaType, "Content-Type", message));
    }
    Ok(())
}

/// The value of a parameter of a media type, where that is the charset.
fn charset(parameter: &str) -> Option<&str> {
    let (name, value) = parameter.split_once('=')?;
    name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"'))
}

fn texts(headers: &HeaderMap, name: &HeaderName) -> Vec<String> {
    headers.get_all(name).iter().map(|line| String::from_utf8_lossy(line.as_bytes()).into_owned()).collect()
}

fn shown(text: &str) -> String {
    text.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use rstest::rstest;

    use super::*;

    fn check(name: HeaderName, value: &str) -> Result<(), Refusal> {
        check_encoding(&HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())]))
    }

    #[rstest]
    #[case(header::CONTENT_ENCODING, "identity")]
    #[case(header::CONTENT_ENCODING, "")]
    #[case(header::CONTENT_TYPE, "application/json; charset=utf-8")]
    #[case(header::CONTENT_TYPE, "application/json;odata=verbose; Charset=\"UTF-8\"")]
    #[case(header::CONTENT_TYPE, "text/plain")]
    fn a_plain_body_is_taken(#[case] name: HeaderName, #[case] value: &str) {
        assert_eq!(check(name, value), Ok(()));
    }

    #[rstest]
    #[case(header::CONTENT_ENCODING, "gzip", "A body in gzip is not taken; send it as it is.")]
    #[case(header::CONTENT_ENCODING, "identity, br", "A body in br is not taken; send it as it is.")]
    #[case(
        header::CONTENT_TYPE,
        "application/json; charset=utf-16",
        "A body in utf-16 is not taken; send it in UTF-8."
    )]
    fn another_encoding_is_refused_with_what_is_taken(
        #[case] name: HeaderName,
        #[case] value: &str,
        #[case] message: &str,
    ) {
        let refusal = check(name, value).unwrap_err();
        assert_eq!((refusal.code, refusal.message.as_str()), (Code::UnsupportedMediaType, message));
    }
}
