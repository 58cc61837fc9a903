//! `POST fleets/{fleet}/listCredentials`.

use base64::Engine as _;
use fleetplane::testing::app::{Backend, FLEET, TestApp};
use serde_json::json;

#[tokio::test]
async fn a_hub_has_credentials_and_a_hubless_fleet_has_none() {
    let app = TestApp::new(Backend::Sqlite).await;
    let path = format!("{FLEET}/listCredentials");
    assert_eq!(app.post(&path).await.expect(404).code(), "ResourceNotFound");
    super::super::with_fleet(&app).await;
    assert_eq!(app.post(&path).await.expect(400).code(), "HubProfileRequired");
    let hub = json!({ "location": "westeurope", "properties": { "hubProfile": { "dnsPrefix": "one" } } });
    let fleet = app.put(FLEET, hub).await.expect(200).json();
    let answer = app.post(&path).await.expect(200).json();
    let value = answer["kubeconfigs"][0]["value"].as_str().unwrap();
    let file = base64::engine::general_purpose::STANDARD.decode(value).unwrap();
    let file = String::from_utf8(file).unwrap();
    let server = fleet["properties"]["hubProfile"]["fqdn"].as_str().unwrap();
    assert!(file.contains(&format!("    server: https://{server}:443\n")), "{file}");
}
