//! Server-side rendering of the public pages: QuickJS runs the web build's React components on threads of its own.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chrono::DateTime;
use rquickjs::module::Declared;
use rquickjs::{CatchResultExt as _, Context, Ctx, Function, Module, Object, Runtime};
use rustix::time::{ClockId, clock_gettime};

use crate::features::events::presentation;
use crate::platform::blocking::{Admission, BlockingQueue};
use crate::platform::content_coding::decompress_brotli;
use crate::platform::error::{AppError, ErrorChain};
use crate::platform::{memory, zone};

/// The server's script of the web build, compiled by `build.rs`; blank in a program without the bundle.
const BYTECODE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/server-script.br"));
/// The stack of a thread, on which the interpreter recurses, in bytes.
const THREAD_STACK: usize = 8 * 1024 * 1024;
/// The part of the stack that scripts may use, in bytes.
const SCRIPT_STACK: usize = 4 * 1024 * 1024;
/// The heap of the engine, in bytes. Rendering takes 3 to 9 MB.
const HEAP: usize = 64 * 1024 * 1024;
/// The longest processor time to load the script or to render a page. It usually takes 10 to 40 ms.
const TIMEOUT_MS: u64 = 2_000;
/// A thread ends after this idle time, which frees the memory of its engine.
const IDLE_TIMEOUT: Duration = Duration::from_secs(20);
/// The same for a thread that has not rendered a page: the server has started, and no visitor came.
const UNUSED_TIMEOUT: Duration = Duration::from_secs(5);
/// The second thread renders the waiting pages while a page keeps the first one busy for this long.
const SLOW_RENDER: Duration = Duration::from_millis(100);
const MAX_THREADS: usize = 2;
/// The maximum number of waiting pages.
const WAITING: usize = 256;
/// The maximum number of waiting searches. Every query is a separate page.
const WAITING_SEARCHES: usize = 7;

/// Why a page could not be rendered.
#[derive(Debug, thiserror::Error)]
pub(super) enum RenderError {
    /// The script threw this exception, or ran out of time or memory.
    #[error("{0}")]
    Script(String),
    /// The engine could not be started.
    #[error("the engine could not be started")]
    Engine(#[from] rquickjs::Error),
    /// Too many pages wait, or the thread could not be started.
    #[error("too many pages wait to be rendered")]
    Overloaded,
}

/// A handle of the rendering threads.
#[derive(Clone, Debug)]
pub struct Renderer {
    queue: Arc<Queue>,
    searches: BlockingQueue,
}

#[derive(Debug)]
enum RenderJob {
    Load,
    Render { url: String, data: Arc<str>, result: SyncSender<Result<String, RenderError>> },
}

impl Renderer {
    /// A renderer without threads, which are started on demand. `None` if the program was built without the bundle.
    pub fn new() -> Option<Self> {
        (!BYTECODE.is_empty()).then(|| Self::with_script(Script::Embedded))
    }

    fn with_script(script: Script) -> Self {
        Self { queue: Arc::new(Queue::new(script)), searches: BlockingQueue::new(1, WAITING_SEARCHES) }
    }

    /// Loads the script in the background, so that the first page does not wait for it.
    pub fn load(&self) {
        // If the queue is full, a queued job loads it.
        let _ = self.queue.add(RenderJob::Load);
    }

    /// Reserves a position for a search. One search is rendered at a time, so that a page waits for at most one.
    ///
    /// # Errors
    /// 503 if too many wait.
    pub(super) fn admit_search(&self) -> Result<Admission, AppError> {
        self.searches.admit(0)
    }

    /// Starts to render the page at `url`, a path with an optional query string, from its initial data as JSON.
    pub(super) fn render(&self, url: String, data: Arc<str>) -> Result<PendingMarkup<'_>, RenderError> {
        let (result, returned) = sync_channel(1);
        self.queue.add(RenderJob::Render { url, data, result })?;
        Ok(PendingMarkup { queue: &self.queue, returned })
    }
}

/// The markup of a page that is being rendered.
pub(super) struct PendingMarkup<'a> {
    queue: &'a Arc<Queue>,
    returned: Receiver<Result<String, RenderError>>,
}

impl PendingMarkup<'_> {
    /// Blocks until the page is rendered.
    pub(super) fn wait(self) -> Result<String, RenderError> {
        loop {
            match self.returned.recv_timeout(SLOW_RENDER) {
                Ok(result) => return result,
                Err(RecvTimeoutError::Timeout) => self.queue.start_second_thread_if_slow(),
                Err(RecvTimeoutError::Disconnected) => return Err(RenderError::Overloaded),
            }
        }
    }
}

/// What engines load.
#[derive(Clone, Copy, Debug)]
enum Script {
    /// [`BYTECODE`].
    Embedded,
    #[cfg(test)]
    Source(&'static str),
}

impl Script {
    fn declare(self, ctx: Ctx<'_>) -> rquickjs::Result<Module<'_, Declared>> {
        match self {
            Self::Embedded => {
                let bytecode = decompress_brotli(BYTECODE)?;
                #[expect(unsafe_code, reason = "the engine does not check bytecode")]
                // SAFETY: the build script has compiled it with this version of the engine.
                unsafe {
                    Module::load(ctx, &bytecode)
                }
            }
            #[cfg(test)]
            Self::Source(source) => Module::declare(ctx, "server.js", source),
        }
    }
}

/// The waiting jobs and the threads that render them.
#[derive(Debug)]
struct Queue {
    script: Script,
    state: Mutex<QueueState>,
    added: Condvar,
}

#[derive(Debug)]
struct QueueState {
    waiting: VecDeque<RenderJob>,
    threads: usize,
    /// How many of the threads wait for a job.
    idle: usize,
    /// When a thread last took a job.
    taken_at: Instant,
}

impl Queue {
    fn new(script: Script) -> Self {
        let state = QueueState { waiting: VecDeque::new(), threads: 0, idle: 0, taken_at: Instant::now() };
        Self { script, state: Mutex::new(state), added: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(self: &Arc<Self>, job: RenderJob) -> Result<(), RenderError> {
        let mut state = self.lock();
        if state.waiting.len() >= WAITING {
            return Err(RenderError::Overloaded);
        }
        if state.threads == 0 {
            self.start_thread(&mut state)?;
        }
        state.waiting.push_back(job);
        self.added.notify_one();
        Ok(())
    }

    /// Starts another thread if jobs wait because a page takes long.
    fn start_second_thread_if_slow(self: &Arc<Self>) {
        let mut state = self.lock();
        let is_busy = state.idle == 0 && state.taken_at.elapsed() >= SLOW_RENDER;
        if is_busy && !state.waiting.is_empty() && state.threads < MAX_THREADS {
            // If that fails, the jobs wait for the first thread.
            let _ = self.start_thread(&mut state);
        }
    }

    fn start_thread(self: &Arc<Self>, state: &mut QueueState) -> Result<(), RenderError> {
        let queue = Arc::clone(self);
        let thread = std::thread::Builder::new().name("renderer".to_owned()).stack_size(THREAD_STACK);
        thread.spawn(move || RenderingThread(queue).run()).map_err(|error| {
            tracing::error!(%error, "a rendering thread could not be started");
            RenderError::Overloaded
        })?;
        state.threads += 1;
        Ok(())
    }

    fn load_engine(&self) -> Result<Engine, RenderError> {
        let started = Instant::now();
        let engine = Engine::load(self.script)?;
        tracing::debug!(took = ?started.elapsed(), "the renderer was loaded");
        Ok(engine)
    }

    /// Waits for the next job. `None` ends the thread: none came within `idle_timeout`, or another thread waits for it.
    fn next(&self, idle_timeout: Duration) -> Option<RenderJob> {
        let mut state = self.lock();
        if state.waiting.is_empty() && state.idle == 0 {
            state.idle += 1;
            let waited = self.added.wait_timeout_while(state, idle_timeout, |state| state.waiting.is_empty());
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
            state.idle -= 1;
        }
        let job = state.waiting.pop_front();
        match job {
            Some(_) => state.taken_at = Instant::now(),
            None => state.threads -= 1,
        }
        job
    }
}

/// A thread that renders one job at a time.
struct RenderingThread(Arc<Queue>);

impl RenderingThread {
    fn run(&self) {
        let (mut engine, mut idle_timeout) = (None, UNUSED_TIMEOUT);
        while let Some(job) = self.0.next(idle_timeout) {
            let loaded = engine.take().map_or_else(|| self.0.load_engine(), Ok);
            let RenderJob::Render { url, data, result } = job else {
                engine = loaded
                    .inspect_err(
                        |error| tracing::error!(error = %ErrorChain(error), "the renderer could not be loaded"),
                    )
                    .ok();
                continue;
            };
            idle_timeout = IDLE_TIMEOUT;
            // An engine that failed is not used again: it may be out of memory.
            let returned = loaded.and_then(|loaded| {
                let returned = loaded.render(&url, &data)?;
                engine = Some(loaded);
                Ok(returned)
            });
            // The caller may have been cancelled.
            let _ = result.send(returned);
        }
        if let Some(engine) = engine {
            drop(engine);
            memory::return_freed();
        }
    }
}

impl Drop for RenderingThread {
    fn drop(&mut self) {
        // `Queue::next` has subtracted a thread that ends without a panic.
        if std::thread::panicking() {
            self.0.lock().threads -= 1;
        }
    }
}

/// An engine that has loaded the script.
struct Engine {
    context: Context,
    deadline: Deadline,
}

impl Engine {
    fn load(script: Script) -> Result<Self, RenderError> {
        let runtime = Runtime::new()?;
        runtime.set_memory_limit(HEAP);
        runtime.set_max_stack_size(SCRIPT_STACK);
        let deadline = Deadline::default();
        let interrupt = deadline.clone();
        runtime.set_interrupt_handler(Some(Box::new(move || interrupt.is_over())));
        // The context owns the runtime.
        let context = Context::full(&runtime)?;
        deadline.restart();
        context.with(|ctx| {
            let load = || {
                provide_host(&ctx)?;
                script.declare(ctx.clone())?.eval()?.1.finish::<()>()?;
                ctx.eval::<(), _>("server.load()")
            };
            load().catch(&ctx).map_err(|error| RenderError::Script(error.to_string()))?;
            // Routes are loaded by promises.
            while ctx.execute_pending_job() {}
            Ok::<_, RenderError>(())
        })?;
        Ok(Self { context, deadline })
    }

    fn render(&self, url: &str, data: &str) -> Result<String, RenderError> {
        self.deadline.restart();
        self.context.with(|ctx| {
            let call = || {
                let server: Object<'_> = ctx.globals().get("server")?;
                let render: Function<'_> = server.get("render")?;
                render.call::<_, String>((url, data))
            };
            call().catch(&ctx).map_err(|error| RenderError::Script(error.to_string()))
        })
    }
}

/// The processor time of its thread, in milliseconds, at which a script is interrupted. Elapsed time would interrupt
/// scripts on a busy machine.
#[derive(Clone, Default)]
struct Deadline(Arc<AtomicU64>);

impl Deadline {
    fn restart(&self) {
        self.0.store(Self::used() + TIMEOUT_MS, Ordering::Relaxed);
    }

    fn is_over(&self) -> bool {
        Self::used() > self.0.load(Ordering::Relaxed)
    }

    fn used() -> u64 {
        let used = clock_gettime(ClockId::ThreadCPUTime);
        u64::try_from(used.tv_sec * 1000 + used.tv_nsec / 1_000_000).unwrap_or(u64::MAX)
    }
}

/// Sets the global object `host` (`web/src/lib/server-runtime.ts`), which provides functions that the engine lacks.
fn provide_host(ctx: &Ctx<'_>) -> rquickjs::Result<()> {
    let host = Object::new(ctx.clone())?;
    host.set("log", Function::new(ctx.clone(), |text: String| tracing::warn!(text, "logged while rendering"))?)?;
    host.set("offsetAt", Function::new(ctx.clone(), offset_at)?)?;
    host.set("bannerUrl", Function::new(ctx.clone(), |slug: String| presentation::banner_data_url(&slug))?)?;
    ctx.globals().set("host", host)
}

/// How far clocks in a zone are ahead of UTC at an instant, both in milliseconds; NaN for an unknown zone or an instant
/// out of range.
fn offset_at(instant: f64, name: String) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "out of range saturates, which chrono rejects")]
    let at = DateTime::from_timestamp_millis(instant as i64).filter(|_| instant.is_finite());
    let Some((zone, at)) = zone::find(&name).zip(at) else { return f64::NAN };
    f64::from(zone::offset(zone, at).local_minus_utc()) * 1_000.0
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{IDLE_TIMEOUT, PendingMarkup, Renderer, Script, WAITING_SEARCHES};

    const RENDERED: &str = "/a?b x 19800000 NaN";
    const SCRIPT: &str = "globalThis.server = { load: () => Promise.resolve(), render: (url, data) => {
        if (data === 'loop') while (true) {}
        if (data === 'grow') for (const all = []; ;) all.push(new Array(1e6).fill(data))
        if (data === 'recurse') return server.render(url, data)
        if (data === 'throw') throw new Error('broken')
        return `${url} ${data} ${host.offsetAt(0, 'Asia/Kathmandu')} ${host.offsetAt(0, 'Nowhere')}` } }";

    fn render(renderer: &Renderer, data: &str) -> Result<String, String> {
        renderer.render("/a?b".to_owned(), data.into()).and_then(PendingMarkup::wait).map_err(|error| error.to_string())
    }

    #[test]
    fn a_script_that_fails_or_exceeds_a_limit_of_memory_is_an_error_and_the_next_page_is_rendered() {
        let renderer = Renderer::with_script(Script::Source(SCRIPT));
        renderer.load();
        for bad in ["throw", "recurse", "grow"] {
            let error = render(&renderer, bad).expect_err(bad);
            assert!(bad != "throw" || error.contains("broken"), "{error}");
            assert_eq!(render(&renderer, "x"), Ok(RENDERED.to_owned()), "after {bad}");
        }
    }

    #[test]
    fn a_page_beyond_the_time_limit_is_an_error_delays_no_other_and_leaves_one_thread() {
        let renderer = Renderer::with_script(Script::Source(SCRIPT));
        std::thread::scope(|scope| {
            let slow = scope.spawn(|| render(&renderer, "loop"));
            wait_until("the slow page is rendered", || {
                let state = renderer.queue.lock();
                state.threads == 1 && state.waiting.is_empty()
            });
            assert!(render(&renderer, "x").is_ok());
            assert!(!slow.is_finished(), "the other page waited for the slow one");
            assert!(slow.join().expect("it ends").is_err());
        });
        wait_until("one thread is left", || renderer.queue.lock().threads == 1);
        assert_eq!(render(&renderer, "x"), Ok(RENDERED.to_owned()));
    }

    fn wait_until(what: &str, condition: impl Fn() -> bool) {
        let deadline = Instant::now() + Duration::from_secs(20);
        while !condition() {
            assert!(Instant::now() < deadline, "{what}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn an_engine_that_no_page_needs_ends_before_one_that_has_rendered() {
        let [unused, used] = [(); 2].map(|()| Renderer::with_script(Script::Source(SCRIPT)));
        unused.load();
        assert!(render(&used, "x").is_ok());

        let started = Instant::now();
        wait_until("the unused engine ends", || unused.queue.lock().threads == 0);
        assert!(started.elapsed() < IDLE_TIMEOUT, "it took {:?}", started.elapsed());
        assert_eq!(used.queue.lock().threads, 1);
    }

    #[test]
    fn searches_beyond_the_limit_are_rejected_until_one_ends() {
        let renderer = Renderer::with_script(Script::Source(SCRIPT));
        let mut admitted: Vec<_> =
            (0..=WAITING_SEARCHES).map(|_| renderer.admit_search().expect("it is free")).collect();
        assert!(renderer.admit_search().is_err());
        admitted.pop();
        assert!(renderer.admit_search().is_ok());
    }

    #[test]
    fn a_script_that_cannot_be_loaded_is_an_error() {
        let renderer = Renderer::with_script(Script::Source("this is no script"));
        assert!(render(&renderer, "x").is_err());
    }
}
