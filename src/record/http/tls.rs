//! What is secret on its way to the server.

use std::fmt;
use std::io;
use std::sync::Arc;

use rustls_native_certs::load_native_certs;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{self, CertificateError, ClientConfig, RootCertStore};

/// How a server behind `https` is reached: its certificate has to be good for those whom the system trusts, or for those in
/// the file that `SSL_CERT_FILE` names.
#[derive(Clone)]
pub(super) struct Tls {
    connector: TlsConnector,
    name: ServerName<'static>,
}

impl Tls {
    /// Of a server of this name.
    ///
    /// # Errors
    ///
    /// If the name cannot stand in a certificate, or the system trusts nobody.
    pub(super) fn to(host: &str) -> Result<Tls, String> {
        let name = ServerName::try_from(host.to_owned())
            .map_err(|_| format!("`{host}` is neither the name of a host nor an IP address"))?;
        let mut roots = RootCertStore::empty();
        let found = load_native_certs();
        roots.add_parsable_certificates(found.certs);
        if roots.is_empty() {
            let why = found
                .errors
                .first()
                .map_or_else(String::new, |error| format!(": {error}"));
            return Err(format!(
                "this system has no certificates to trust a server behind https by{why}"
            ));
        }
        let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        let connector = TlsConnector::from(Arc::new(config));
        Ok(Tls { connector, name })
    }

    /// Agrees with the server on keys.
    pub(super) async fn over(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        let connected = self.connector.connect(self.name.clone(), stream).await;
        connected.map_err(|error| match why(&error) {
            Some(why) => io::Error::new(error.kind(), why),
            None => error,
        })
    }
}

/// What is wrong with the certificate of a server, if that is what went wrong.
fn why(error: &io::Error) -> Option<&'static str> {
    let rustls::Error::InvalidCertificate(fault) = error.get_ref()?.downcast_ref()? else {
        return None;
    };
    Some(match fault {
        CertificateError::UnknownIssuer => {
            "nobody whom this system trusts vouches for its certificate; a file that `SSL_CERT_FILE` names can say who does"
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "its certificate is that of another name"
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "its certificate has expired",
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "its certificate is not valid yet; see whether the clock is right"
        }
        _ => return None,
    })
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
