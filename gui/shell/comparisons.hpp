// Pairs of runs held against each other, on a thread of their own: arrays may have ten million elements.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "lab/report.hpp"

namespace warpbook::gui {

/// Two runs and what they are called.
struct RunPair {
  std::shared_ptr<const lab::Report> a, b;
  lab::Message name_a, name_b;
  std::vector<std::string> ids;  ///< of the exhibits that are compared; empty: all
  friend bool operator==(const RunPair&, const RunPair&) = default;
};

class Comparisons {
 public:
  struct Made {
    RunPair pair;
    std::shared_ptr<const lab::Exhibit> exhibit;  ///< null until the first one of its place is made
  };

  /// `wake` is called on the worker thread after every comparison.
  explicit Comparisons(std::function<void()> wake);
  ~Comparisons();
  Comparisons(const Comparisons&) = delete;
  Comparisons& operator=(const Comparisons&) = delete;

  /// What is to stand at a place. The one that stood there stays until this one is made.
  void want(const std::string& place, RunPair pair);
  void forget(const std::string& place);
  /// What was made last for that place.
  [[nodiscard]] Made find(const std::string& place) const;
  /// How many have been made.
  [[nodiscard]] std::uint64_t done() const { return done_.load(); }
  void settle();

 private:
  struct Place {
    RunPair wanted;
    Made made;
  };
  void work(std::stop_token stop);

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::string> waiting_;
  std::map<std::string, Place> places_;
  bool running_ = false;
  std::atomic<std::uint64_t> done_ = 0;
  std::jthread thread_;  ///< last: it uses all of the above
};

}  // namespace warpbook::gui
