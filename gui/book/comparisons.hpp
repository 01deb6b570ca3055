// Pairs of runs held against each other, on a thread of their own: arrays may have ten million elements.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gui/book/work_queue.hpp"
#include "lab/report/report.hpp"

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

  /// What is to stand at a place. The one that stood there stays until this one is made.
  void want(const std::string& place, RunPair pair);
  void forget(const std::string& place);
  /// What was made last for that place.
  [[nodiscard]] Made find(const std::string& place) const;
  /// How many have been made.
  [[nodiscard]] std::uint64_t done() const { return queue_.done(); }
  void settle() { queue_.settle(); }

 private:
  struct Place {
    RunPair wanted;
    Made made;
  };
  bool make(const std::string& place);

  mutable std::mutex mutex_;  ///< guards the places
  std::map<std::string, Place> places_;
  WorkQueue<std::string> queue_;  ///< of places
};

}  // namespace warpbook::gui
