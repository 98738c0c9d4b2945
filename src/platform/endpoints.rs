//! The endpoints of the API: their routes, and in tests their descriptions in the OpenAPI document.
//!
//! The program contains the document as the tests have generated it. The code that builds it takes more space than all
//! handlers, and would run at each start.

use axum::handler::Handler;
use axum::routing::MethodRouter;
use axum::{Extension, Router};
use utoipa::openapi::HttpMethod;
use utoipa_axum::PathItemExt as _;
#[cfg(test)]
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use super::state::AppState;

/// Endpoints that are served together.
#[derive(Default)]
pub struct Endpoints {
    router: Router<AppState>,
    /// Called only for the document, as every test of a server has the endpoints.
    #[cfg(test)]
    documented: Vec<fn() -> UtoipaMethodRouter<AppState>>,
}

impl Endpoints {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the endpoints at one path, see `endpoints_at_path!`.
    #[must_use]
    pub fn route(self, path: PathEndpoints) -> Self {
        Self {
            router: self.router.route(&path.path, path.methods),
            #[cfg(test)]
            documented: [self.documented, vec![path.documented]].concat(),
        }
    }

    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        Self {
            router: self.router.merge(other.router),
            #[cfg(test)]
            documented: [self.documented, other.documented].concat(),
        }
    }

    /// Passes a value to the handlers of these endpoints, which extract it with [`Extension`].
    #[must_use]
    pub fn with_extension<T: Clone + Send + Sync + 'static>(self, value: T) -> Self {
        Self { router: self.router.layer(Extension(value)), ..self }
    }

    pub fn into_router(self) -> Router<AppState> {
        self.router
    }

    /// Adds the descriptions of the endpoints to a document.
    #[cfg(test)]
    pub fn describe_in(self, document: utoipa::openapi::OpenApi) -> utoipa::openapi::OpenApi {
        let all = self.documented.iter().fold(OpenApiRouter::new(), |all, documented| all.routes(documented()));
        OpenApiRouter::with_openapi(document).merge(all).into_openapi()
    }
}

/// The endpoints at one path, one for each method.
pub struct PathEndpoints {
    /// With parameters in braces, such as `/api/events/{id}`.
    pub path: String,
    pub methods: MethodRouter<AppState>,
    #[cfg(test)]
    pub documented: fn() -> UtoipaMethodRouter<AppState>,
}

/// Adds a handler for the methods that its attribute `utoipa::path` names.
pub fn with_handler<H, T>(methods: MethodRouter<AppState>, names: &[HttpMethod], handler: H) -> MethodRouter<AppState>
where
    H: Handler<T, AppState>,
    T: 'static,
{
    names.iter().fold(methods, |methods, name| methods.on(name.to_method_filter(), handler.clone()))
}

/// The [`PathEndpoints`] of handlers that have the attribute `utoipa::path` with the same path.
macro_rules! endpoints_at_path {
    ($module:ident::$handler:ident $(, $other_module:ident::$other:ident)* $(,)?) => {
        pastey::paste! {{
            use utoipa::Path as _;
            use $crate::platform::endpoints::{PathEndpoints, with_handler};
            let methods = axum::routing::MethodRouter::new();
            let methods = with_handler(methods, &$module::[<__path_ $handler>]::methods(), $module::$handler);
            $(
                let names = $other_module::[<__path_ $other>]::methods();
                let methods = with_handler(methods, &names, $other_module::$other);
            )*
            PathEndpoints {
                path: $module::[<__path_ $handler>]::path(),
                methods,
                #[cfg(test)]
                documented: || utoipa_axum::routes!($module::$handler $(, $other_module::$other)*),
            }
        }}
    };
}
pub(crate) use endpoints_at_path;
