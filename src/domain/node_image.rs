//! Node images by name: a family and a dotted version, and which family a pool's operating system takes.
//!
//! Which images exist, where and since when is the catalogue's knowledge. To offer one more operating-system SKU,
//! add a row to [`FAMILIES`] and an image of its family to the catalogue.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Why a text is no node image or image version. The message says what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// Not numbers joined by dots.
    #[error("'{0}' is not a node image version; expected numbers joined by dots, such as 202611.02.0")]
    Version(String),
    /// Not `FAMILY-VERSION`.
    #[error(
        "'{0}' is not a node image; expected FAMILY-VERSION, such as AKSUbuntu-2204gen2containerd-202611.02.0"
    )]
    Image(String),
}

/// A version of an image: numbers joined by dots, ordered number by number (`202611.02.1 < 202611.10.0`).
///
/// Keeps its text, because leading zeros are part of a name: `202611.02.0` and `202611.2.0` are equal all the same.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ImageVersion {
    text: String,
    numbers: Vec<u64>,
}

impl ImageVersion {
    /// The version as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FromStr for ImageVersion {
    type Err = ImageError;

    fn from_str(text: &str) -> Result<Self, ImageError> {
        let invalid = || ImageError::Version(text.to_owned());
        let number = |part: &str| {
            let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            if digits { part.parse().map_err(|_| invalid()) } else { Err(invalid()) }
        };
        let numbers = text.split('.').map(number).collect::<Result<Vec<u64>, _>>()?;
        Ok(Self { text: text.to_owned(), numbers })
    }
}

impl PartialEq for ImageVersion {
    fn eq(&self, other: &Self) -> bool {
        self.numbers == other.numbers
    }
}

impl Eq for ImageVersion {}

impl PartialOrd for ImageVersion {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ImageVersion {
    fn cmp(&self, other: &Self) -> Ordering {
        self.numbers.cmp(&other.numbers)
    }
}

impl std::hash::Hash for ImageVersion {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.numbers.hash(state);
    }
}

impl fmt::Display for ImageVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl TryFrom<String> for ImageVersion {
    type Error = ImageError;

    fn try_from(text: String) -> Result<Self, ImageError> {
        text.parse()
    }
}

impl From<ImageVersion> for String {
    fn from(version: ImageVersion) -> Self {
        version.text
    }
}

/// An image, written `AKSUbuntu-2204gen2containerd-202611.02.0`: the family up to the last dash, then the version.
///
/// Ordered by family first; compare versions only of one family.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NodeImage {
    /// What the image is of; compared as written.
    pub family: String,
    /// Which one of the family.
    pub version: ImageVersion,
}

impl FromStr for NodeImage {
    type Err = ImageError;

    fn from_str(text: &str) -> Result<Self, ImageError> {
        let invalid = || ImageError::Image(text.to_owned());
        let (family, version) = text.rsplit_once('-').ok_or_else(invalid)?;
        let named = family.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && family.starts_with(|first: char| first.is_ascii_alphabetic());
        if !named {
            return Err(invalid());
        }
        Ok(Self { family: family.to_owned(), version: version.parse().map_err(|_| invalid())? })
    }
}

impl fmt::Display for NodeImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.family, self.version)
    }
}

impl TryFrom<String> for NodeImage {
    type Error = ImageError;

    fn try_from(text: String) -> Result<Self, ImageError> {
        text.parse()
    }
}

impl From<NodeImage> for String {
    fn from(image: NodeImage) -> Self {
        image.to_string()
    }
}

/// A pool's operating system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "ARM's own names")]
pub enum OsType {
    #[default]
    Linux,
    Windows,
}

/// Operating-system SKUs with the family of their images. The first of each system is its default.
const FAMILIES: &[(OsType, &str, &str)] = &[
    (OsType::Linux, "Ubuntu", "AKSUbuntu-2204gen2containerd"),
    (OsType::Linux, "Ubuntu2204", "AKSUbuntu-2204gen2containerd"),
    (OsType::Linux, "Ubuntu2404", "AKSUbuntu-2404gen2containerd"),
    (OsType::Linux, "AzureLinux", "AKSAzureLinux-V3gen2"),
    (OsType::Linux, "AzureLinux3", "AKSAzureLinux-V3gen2"),
    (OsType::Linux, "CBLMariner", "AKSAzureLinux-V3gen2"),
    (OsType::Windows, "Windows2022", "AKSWindows-2022-containerd"),
    (OsType::Windows, "Windows2019", "AKSWindows-2019-containerd"),
    (OsType::Windows, "Windows2025", "AKSWindows-2025-gen2-containerd"),
    (OsType::Windows, "WindowsAnnual", "AKSWindows-23H2-gen2-containerd"),
];

/// The operating-system SKUs that a pool of this system may name, the default one first.
pub fn os_skus(os: OsType) -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().filter(move |(of, _, _)| *of == os).map(|(_, sku, _)| *sku)
}

/// The family of images that a pool takes; `None` where the SKU is not one of this system. SKUs compare without
/// case; an absent one is the system's default.
pub fn family_for(os: OsType, os_sku: Option<&str>) -> Option<&'static str> {
    let wanted = |sku: &str| os_sku.is_none_or(|asked| asked.eq_ignore_ascii_case(sku));
    FAMILIES.iter().find(|(of, sku, _)| *of == os && wanted(sku)).map(|(_, _, family)| *family)
}

/// The system that images of this family carry: Windows for those named so, else Linux.
pub fn os_of_family(family: &str) -> OsType {
    if family.starts_with("AKSWindows") { OsType::Windows } else { OsType::Linux }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("AKSUbuntu-2204gen2containerd-202611.02.0", "AKSUbuntu-2204gen2containerd", "202611.02.0")]
    #[case("AKSWindows-2022-containerd-20348.4346.261110", "AKSWindows-2022-containerd", "20348.4346.261110")]
    #[case("AKSAzureLinux-V3gen2-202611.02.1", "AKSAzureLinux-V3gen2", "202611.02.1")]
    fn an_image_is_a_family_and_a_version_and_keeps_its_text(
        #[case] text: &str,
        #[case] family: &str,
        #[case] version: &str,
    ) {
        let image: NodeImage = text.parse().unwrap();
        assert_eq!((image.family.as_str(), image.version.as_str()), (family, version));
        assert_eq!(serde_json::to_value(&image).unwrap(), text);
    }

    #[rstest]
    #[case("")]
    #[case("AKSUbuntu")]
    #[case("AKSUbuntu-")]
    #[case("-202611.02.0")]
    #[case("AKSUbuntu-2022.x")]
    #[case("AKSUbuntu-202611..0")]
    #[case("AKS Ubuntu-202611.02.0")]
    #[case("AKSUbuntu-99999999999999999999.0")]
    fn other_texts_are_refused_naming_the_form(#[case] text: &str) {
        let error = text.parse::<NodeImage>().unwrap_err();
        assert!(error.to_string().contains("FAMILY-VERSION"), "{error}");
    }

    #[test]
    fn versions_are_ordered_by_number() {
        let sorted = ["202609.30.0", "202610.5.0", "202610.19.0", "202611.02.0", "202611.02.1"];
        let mut versions: Vec<ImageVersion> = sorted.iter().rev().map(|text| text.parse().unwrap()).collect();
        versions.sort();
        assert_eq!(versions.iter().map(ImageVersion::as_str).collect::<Vec<_>>(), sorted);
        assert_eq!("202611.2.0".parse::<ImageVersion>(), "202611.02.0".parse());
    }

    #[rstest]
    #[case(OsType::Linux, None, Some("AKSUbuntu-2204gen2containerd"))]
    #[case(OsType::Linux, Some("azurelinux"), Some("AKSAzureLinux-V3gen2"))]
    #[case(OsType::Windows, None, Some("AKSWindows-2022-containerd"))]
    #[case(OsType::Windows, Some("Ubuntu"), None)]
    fn the_family_follows_from_system_and_sku(
        #[case] os: OsType,
        #[case] sku: Option<&str>,
        #[case] family: Option<&str>,
    ) {
        assert_eq!(family_for(os, sku), family);
    }

    #[test]
    fn every_family_tells_its_system() {
        assert!(FAMILIES.iter().all(|(os, _, family)| os_of_family(family) == *os));
    }
}
