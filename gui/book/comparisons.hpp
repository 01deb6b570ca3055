// Compares pairs of runs on a thread of its own, because arrays may have ten million elements.
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

/// Two runs to compare, and their names.
struct RunPair {
  std::shared_ptr<const lab::Report> a, b;
  lab::Message name_a, name_b;
  std::vector<std::string> ids;  ///< exhibits to compare; empty: all
  friend bool operator==(const RunPair&, const RunPair&) = default;
};

class Comparisons {
 public:
  struct Made {
    RunPair pair;
    std::shared_ptr<const lab::Exhibit> exhibit;  ///< null until the place has its first one
  };

  /// `wake` is called on the worker thread after every comparison.
  explicit Comparisons(std::function<void()> wake);

  /// Asks for the comparison of this pair at a place. The place keeps its last comparison until the new one is made.
  void want(const std::string& place, RunPair pair);
  void forget(const std::string& place);
  /// The last comparison that was made for that place.
  [[nodiscard]] Made find(const std::string& place) const;
  /// How many comparisons have been made.
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
