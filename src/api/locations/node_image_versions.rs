//! `GET SUB/P/locations/{region}/nodeImageVersions`.

use axum::response::Response;
use serde_json::{Value, json};

use crate::api::contract::Served;
use crate::api::contract::table::aks::node_image::NODE_IMAGE;
use crate::api::error::ApiError;
use crate::api::extract::Call;
use crate::api::filter;
use crate::api::page::answer_parts;
use crate::api::route::{Answer, Operation};
use crate::domain::node_image::NodeImage;

/// What the document says.
pub static OPERATION: Operation = Operation {
    id: "ContainerService_ListNodeImageVersions",
    summary: "Lists the node images that a region offers.",
    served: Served::Aks,
    takes: None,
    answers: &[Answer::page(&NODE_IMAGE)],
};

/// Answers it.
pub async fn handle(call: Call) -> Result<Response, ApiError> {
    filter::parse(call.query.get("$filter"), &[])?;
    let region = super::region(&call).await?;
    let images = call.service.offered_images(&region).await?;
    answer_parts(&call, images.iter().map(|image| (image.to_string(), shown(image))).collect())
}

fn shown(image: &NodeImage) -> Value {
    let (os, sku) = image.family.split_once('-').unwrap_or((&image.family, ""));
    json!({ "os": os, "sku": sku, "version": image.version, "fullName": image })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_is_shown_in_parts_and_whole() {
        let image: NodeImage = "AKSWindows-2022-containerd-20348.4346.261110".parse().unwrap();
        let expected = json!({
            "os": "AKSWindows",
            "sku": "2022-containerd",
            "version": "20348.4346.261110",
            "fullName": "AKSWindows-2022-containerd-20348.4346.261110",
        });
        assert_eq!(shown(&image), expected);
    }
}
