//! Listens on both loopback addresses and shuts down cleanly.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use socket2::{Domain, Protocol, Socket, Type};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;
use wire::limits;

use super::Shared;
use super::pair::Ends;

/// A request's headers must arrive within this time.
const HEAD_SECONDS: u64 = 30;
/// The same while more than half of all connections are in use: silent clients must not keep others out.
const HEAD_SECONDS_WHEN_CROWDED: u64 = 5;
/// A client that reads nothing of its answer for this long is disconnected, even if its connection is still open.
const UNREAD: Duration = Duration::from_secs(limits::UNREAD_SECONDS);
/// How long open requests may take after a shutdown was requested.
const GRACE: Duration = Duration::from_secs(2);

/// One port on 127.0.0.1 and, if the machine has IPv6, on ::1.
#[derive(Debug)]
pub(crate) struct Listeners {
    listeners: Vec<TcpListener>,
    pub(crate) port: u16,
}

impl Listeners {
    /// Port 0 means any free one.
    pub(crate) fn bind(port: u16) -> io::Result<Self> {
        // A free IPv4 port may be in use on IPv6: then try another.
        let tries = if port == 0 { 20 } else { 1 };
        let mut last = io::Error::from(io::ErrorKind::AddrInUse);
        for _ in 0..tries {
            let v4 = listen(IpAddr::V4(Ipv4Addr::LOCALHOST), port)?;
            let chosen = v4.local_addr()?.port();
            match listen(IpAddr::V6(Ipv6Addr::LOCALHOST), chosen) {
                Ok(v6) => return Ok(Self { listeners: vec![v4, v6], port: chosen }),
                Err(error) if error.kind() == io::ErrorKind::AddrInUse => last = error,
                // This machine has no IPv6.
                Err(_) => return Ok(Self { listeners: vec![v4], port: chosen }),
            }
        }
        Err(last)
    }
}

fn listen(address: IpAddr, port: u16) -> io::Result<TcpListener> {
    let domain = if address.is_ipv4() { Domain::IPV4 } else { Domain::IPV6 };
    let socket = Socket::new(domain, Type::STREAM, Some(Protocol::TCP))?;
    if address.is_ipv6() {
        socket.set_only_v6(true)?;
    }
    // Without this a restart would have to wait for old connections to time out. (On Windows it would share the port.)
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&SocketAddr::new(address, port).into())?;
    socket.listen(1024)?;
    TcpListener::from_std(socket.into())
}

/// Serves until the app shuts down, then lets open requests finish.
pub(crate) async fn serve(listeners: Listeners, shared: Shared) {
    let router = super::app(Arc::clone(&shared));
    let connections = TaskTracker::new();
    let places = Arc::new(Semaphore::new(limits::CONNECTIONS));
    let accepting: Vec<_> = listeners
        .listeners
        .into_iter()
        .map(|listener| {
            tokio::spawn(accept(
                listener,
                router.clone(),
                Arc::clone(&shared),
                connections.clone(),
                Arc::clone(&places),
            ))
        })
        .collect();
    shared.shutdown.cancelled().await;
    for task in accepting {
        let _ = task.await;
    }
    connections.close();
    let _ = tokio::time::timeout(GRACE, connections.wait()).await;
}

async fn accept(
    listener: TcpListener,
    router: Router,
    shared: Shared,
    connections: TaskTracker,
    places: Arc<Semaphore>,
) {
    loop {
        let place = tokio::select! {
            () = shared.shutdown.cancelled() => return,
            place = Arc::clone(&places).acquire_owned() => place,
        };
        let Ok(place) = place else { return };
        let accepted = tokio::select! {
            () = shared.shutdown.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let (stream, theirs) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // The process is most likely out of file descriptors; some will be released.
                tracing::warn!(%error, "could not accept a connection");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let Ok(ours) = stream.local_addr() else { continue };
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(UNREAD));
        let ends = Ends { ours, theirs };
        let router = router.clone();
        let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ends);
            router.clone().oneshot(request)
        });
        let is_crowded = places.available_permits() < limits::CONNECTIONS / 2;
        let head_seconds = if is_crowded { HEAD_SECONDS_WHEN_CROWDED } else { HEAD_SECONDS };
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(Duration::from_secs(head_seconds))
            .serve_connection(TokioIo::new(Box::pin(stream)), service)
            .with_upgrades();
        let shutdown = shared.shutdown.clone();
        connections.spawn(async move {
            let mut connection = std::pin::pin!(connection);
            let outcome = tokio::select! {
                outcome = connection.as_mut() => outcome,
                () = shutdown.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = outcome {
                tracing::debug!(%error, "a connection ended early");
            }
            drop(place);
        });
    }
}
