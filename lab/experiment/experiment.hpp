// A lesson that runs beside the window: always the latest inputs, one run at a time, on a worker thread. Results are
// immutable.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "device/compiler/compiler.hpp"
#include "lab/experiment/lesson.hpp"

namespace warpbook::lab {

/// Runs a lesson whenever it is asked to. All calls return at once.
class Experiment {
 public:
  Experiment(const Lesson& lesson, std::shared_ptr<device::Compiler> compiler, std::string root);
  ~Experiment();  ///< cancels and joins
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;

  /// What a request asks for, and what becomes of a run in progress when it comes. `restart` asks for a whole run, and gives up the one in
  /// progress, so that the newest inputs are shown as soon as they can be. `preview` asks for a draft first, and then, where that has left
  /// something out, for the whole run. `follow` is for inputs that change all the time, as under a dragged slider: it asks for a draft, too,
  /// but lets a draft in progress end first, or there would be no picture at all before they rest; the whole run begins by itself once
  /// they have rested for `kRest`.
  enum class Pace : std::uint8_t { restart, preview, follow };
  static constexpr std::chrono::milliseconds kRest{200};
  /// Runs with these inputs after `delay` (a debounce: the last request wins; with `follow`, it does not begin anew).
  void request(Inputs inputs, std::chrono::milliseconds delay = {}, Pace pace = Pace::restart);
  /// The inputs that were followed have come to rest: a draft of older ones is given up, and the whole run waits no longer.
  void rest();
  void cancel();
  /// Whether runs show sources with their machine code, from the next one on.
  void with_sass(bool wanted);

  struct Progress {
    bool running = false;
    double fraction = 0;
    Message what;
    double seconds = 0;  ///< since the run began
    std::uint64_t inputs_hash = 0;
  };
  [[nodiscard]] Progress progress() const;
  /// The last finished report; null before the first. A cancelled run leaves the one before it.
  [[nodiscard]] std::shared_ptr<const Report> latest() const;
  /// The last draft that left something out; null where a whole run has finished since.
  [[nodiscard]] std::shared_ptr<const Report> draft() const;
  /// What the run in progress lets be seen of itself (Lab::publish): its exhibits so far and the hash of its inputs, and nothing else
  /// of a report. Null where none is in progress, or it has published nothing.
  [[nodiscard]] std::shared_ptr<const Report> unfinished() const;
  /// The hash of the completed inputs that were last asked for: a report with another one is stale.
  [[nodiscard]] std::uint64_t wanted() const;
  /// Counts finished runs, drafts among them, so that a view knows that there is news.
  [[nodiscard]] std::uint64_t generation() const;
  /// Waits until nothing runs and nothing is asked for. For the command line and tests.
  void settle();
  /// Called on the worker thread when a run ends, and when it publishes; the window uses it to wake.
  void on_news(std::function<void()> wake);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpbook::lab
