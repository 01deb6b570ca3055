#include "lab/experiment/experiment.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace warpbook::lab {

using Clock = std::chrono::steady_clock;

struct Experiment::State {
  State(const Lesson& its_lesson, std::shared_ptr<device::Compiler> its_compiler,
        std::string its_root)
      : lesson(its_lesson), compiler(std::move(its_compiler)), root(std::move(its_root)) {}

  const Lesson& lesson;
  const std::shared_ptr<device::Compiler> compiler;
  const std::string root;

  std::mutex mutex;  // guards all below
  std::condition_variable changed;
  struct Request {
    Inputs inputs;
    std::uint64_t hash = 0;
    Clock::time_point due;
    Pace pace = Pace::restart;
  };
  std::optional<Request> waiting;
  bool running = false, closing = false, sass = false;
  bool drafting = false;  // the run in progress is a draft
  bool resting = false;   // the whole run is to follow a draft at once
  std::stop_source stop;  // of the run in progress
  Clock::time_point begun;
  Progress progress;
  std::uint64_t wanted = 0;
  std::shared_ptr<const Report> latest, draft, unfinished;
  std::uint64_t generation = 0;
  std::function<void()> wake;

  std::thread worker;  // last: it uses all above

  void work();
  void run(std::unique_lock<std::mutex>& lock);
  void take(const Request& request, Report report, bool left_out);
  void take_unfinished(std::vector<Exhibit> so_far, std::uint64_t hash);
};

void Experiment::State::work() {
  std::unique_lock lock(mutex);
  while (!closing) {
    if (!waiting) {
      changed.wait(lock);
    } else if (Clock::now() < waiting->due) {
      changed.wait_until(lock, waiting->due);
    } else {
      run(lock);
    }
  }
}

// Takes the request that waits; the lock is given up while it runs.
void Experiment::State::run(std::unique_lock<std::mutex>& lock) {
  const Request request = std::move(*waiting);
  waiting.reset();
  drafting = request.pace != Pace::restart;
  stop = std::stop_source();
  const std::stop_token token = stop.get_token();
  const bool with_sass = sass;
  running = true;
  begun = Clock::now();
  progress = {true, 0, {}, 0, request.hash};
  lock.unlock();

  Draft draft_of_it;
  Report report = lab::run(
      lesson, request.inputs, compiler, root, token,
      [&](double fraction, const Message& what) {
        const std::lock_guard guard(mutex);
        progress.fraction = fraction;
        progress.what = what;
      },
      device::kLessonChecks, with_sass,
      [&](std::vector<Exhibit> so_far) { take_unfinished(std::move(so_far), request.hash); },
      drafting ? &draft_of_it : nullptr);

  lock.lock();
  running = false;
  progress.running = false;
  unfinished.reset();
  std::function<void()> call;
  if (!token.stop_requested()) {
    take(request, std::move(report), draft_of_it.left_out);
    call = wake;
  }
  changed.notify_all();
  if (call) {
    lock.unlock();
    call();
    lock.lock();
  }
}

void Experiment::State::take(const Request& request, Report report, bool left_out) {
  auto made = std::make_shared<const Report>(std::move(report));
  ++generation;
  if (!left_out) {
    latest = std::move(made);
    draft.reset();
    return;
  }
  draft = std::move(made);
  if (waiting) return;
  const auto due = Clock::now() + (resting ? std::chrono::milliseconds() : kRest);
  waiting = Request{request.inputs, request.hash, due, Pace::restart};
}

void Experiment::State::take_unfinished(std::vector<Exhibit> so_far, std::uint64_t hash) {
  Report report;
  report.inputs_hash = hash;
  report.exhibits = std::move(so_far);
  std::function<void()> call;
  {
    const std::lock_guard guard(mutex);
    unfinished = std::make_shared<const Report>(std::move(report));
    call = wake;
  }
  if (call) call();
}

Experiment::Experiment(const Lesson& lesson, std::shared_ptr<device::Compiler> compiler,
                       std::string root)
    : state_(std::make_unique<State>(lesson, std::move(compiler), std::move(root))) {
  state_->worker = std::thread([state = state_.get()] { state->work(); });
}

Experiment::~Experiment() {
  {
    const std::lock_guard guard(state_->mutex);
    state_->closing = true;
    state_->waiting.reset();
    state_->stop.request_stop();
  }
  state_->changed.notify_all();
  state_->worker.join();
}

void Experiment::request(Inputs inputs, std::chrono::milliseconds delay, Pace pace) {
  // Files are read here so that the hash is known at once; where they cannot be, the run will say why.
  auto all = completed(state_->lesson, inputs, state_->root);
  if (all) inputs = std::move(*all);
  const std::uint64_t hash = hash_of(inputs);
  {
    const std::lock_guard guard(state_->mutex);
    state_->wanted = hash;
    const bool follows = pace == Pace::follow;
    auto due = Clock::now() + delay;
    if (follows && state_->waiting) due = std::min(due, state_->waiting->due);
    state_->waiting = State::Request{std::move(inputs), hash, due, pace};
    state_->resting = !follows;
    if (state_->running && !(follows && state_->drafting)) state_->stop.request_stop();
  }
  state_->changed.notify_all();
}

void Experiment::rest() {
  {
    const std::lock_guard guard(state_->mutex);
    state_->resting = true;
    if (state_->waiting) state_->waiting->due = Clock::now();
    if (state_->running && state_->progress.inputs_hash != state_->wanted)
      state_->stop.request_stop();
  }
  state_->changed.notify_all();
}

void Experiment::cancel() {
  {
    const std::lock_guard guard(state_->mutex);
    state_->waiting.reset();
    if (state_->running) state_->stop.request_stop();
  }
  state_->changed.notify_all();
}

void Experiment::with_sass(bool wanted) {
  const std::lock_guard guard(state_->mutex);
  state_->sass = wanted;
}

Experiment::Progress Experiment::progress() const {
  const std::lock_guard guard(state_->mutex);
  Progress progress = state_->progress;
  if (progress.running)
    progress.seconds = std::chrono::duration<double>(Clock::now() - state_->begun).count();
  return progress;
}

std::shared_ptr<const Report> Experiment::latest() const {
  const std::lock_guard guard(state_->mutex);
  return state_->latest;
}

std::shared_ptr<const Report> Experiment::draft() const {
  const std::lock_guard guard(state_->mutex);
  return state_->draft;
}

std::shared_ptr<const Report> Experiment::unfinished() const {
  const std::lock_guard guard(state_->mutex);
  return state_->unfinished;
}

std::uint64_t Experiment::wanted() const {
  const std::lock_guard guard(state_->mutex);
  return state_->wanted;
}

std::uint64_t Experiment::generation() const {
  const std::lock_guard guard(state_->mutex);
  return state_->generation;
}

void Experiment::settle() {
  std::unique_lock lock(state_->mutex);
  state_->changed.wait(lock, [&] { return !state_->running && !state_->waiting; });
}

void Experiment::on_news(std::function<void()> wake) {
  const std::lock_guard guard(state_->mutex);
  state_->wake = std::move(wake);
}

}  // namespace warpbook::lab
