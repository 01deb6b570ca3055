#include "lab/exhibits/accesses/wire_rows.hpp"

#include <algorithm>
#include <map>

#include "lab/exhibits/accesses/accesses_summary.hpp"

namespace warpbook::lab {
namespace {

/// What one thread touched, in its own order.
struct Touched {
  struct One {
    std::uint32_t array = 0;
    std::int64_t element = 0;
    bool store = false, stray = false;
  };
  std::vector<One> touches;
};
using ByThread = std::map<std::uint64_t, Touched>;

ByThread by_thread(const AccessesExhibit& accesses) {
  ByThread threads;
  for (const AccessesExhibit::Wire& wire : accesses.wires) {
    const bool store = wire.kind != device::AccessKind::load;
    threads[thread_of(accesses, wire)].touches.push_back(
        {wire.array, wire.element, store, is_stray(accesses, wire)});
  }
  return threads;
}

/// Longest run from `first` on that goes by one step inside one array; a run of two is two elements.
std::size_t run_length(const std::vector<Touched::One>& touches, std::size_t first) {
  const auto follows = [&](std::size_t i, std::int64_t step) {
    return i < touches.size() && touches[i].array == touches[first].array &&
           touches[i].stray == touches[first].stray &&
           touches[i].element - touches[i - 1].element == step;
  };
  if (first + 2 >= touches.size()) return 1;
  const std::int64_t step = touches[first + 1].element - touches[first].element;
  std::size_t end = first + 1;
  while (follows(end, step)) ++end;
  return end - first >= 3 ? end - first : 1;
}

/// One thread's loads or stores, array by array, with runs put together.
std::vector<ElementRun> runs_of(const Touched& touched, bool store) {
  std::vector<Touched::One> touches;
  std::ranges::copy_if(touched.touches, std::back_inserter(touches),
                       [=](const auto& one) { return one.store == store; });
  std::ranges::stable_sort(touches, {}, &Touched::One::array);
  std::vector<ElementRun> runs;
  for (std::size_t i = 0; i < touches.size();) {
    const std::size_t length = run_length(touches, i);
    const std::int64_t last = touches[i + length - 1].element;
    const std::int64_t step = length > 1 ? touches[i + 1].element - touches[i].element : 0;
    runs.push_back({touches[i].array, touches[i].element, last, step, touches[i].stray});
    i += length;
  }
  return runs;
}

/// True where `next` did what `previous` did, every element `step` further on; learns the steps from the second thread.
bool continues(const Touched& previous, const Touched& next, std::vector<std::int64_t>& steps) {
  if (previous.touches.size() != next.touches.size()) return false;
  std::vector<std::int64_t> found;
  for (std::size_t i = 0; i < next.touches.size(); ++i) {
    const auto &a = previous.touches[i], &b = next.touches[i];
    if (a.array != b.array || a.store != b.store || a.stray != b.stray) return false;
    found.push_back(b.element - a.element);
  }
  if (steps.empty()) steps = found;
  return steps == found;
}

class RowMaker {
 public:
  RowMaker(const AccessesExhibit& accesses, std::size_t most) : accesses_(accesses), most_(most) {
    threads_a_block_ = std::max<std::uint64_t>(1, accesses.block.count());
  }

  WireRows make() {
    const ByThread threads = by_thread(accesses_);
    const std::uint64_t launched = accesses_.grid.count() * threads_a_block_;
    const bool fold = (accesses_.cut ? threads.size() : launched) > most_;
    std::uint64_t next = 0;
    for (auto thread = threads.begin(); thread != threads.end();) {
      if (!accesses_.cut) add_idle(next, thread->first, fold);
      auto last = thread;
      std::vector<std::int64_t> steps;
      for (auto after = std::next(last); fold && after != threads.end(); last = after++) {
        const bool beside = after->first == last->first + 1 && after->first % threads_a_block_ != 0;
        if (!beside || !continues(last->second, after->second, steps)) break;
      }
      add_threads(*thread, *last);
      next = last->first + 1;
      thread = std::next(last);
    }
    if (!accesses_.cut) add_idle(next, launched, fold);
    return std::move(made_);
  }

 private:
  void add(WireRow row) {
    if (made_.rows.size() < most_)
      made_.rows.push_back(std::move(row));
    else
      ++made_.more;
  }

  void add_threads(const ByThread::value_type& first, const ByThread::value_type& last) {
    WireRow row;
    row.first_block = row.last_block = first.first / threads_a_block_;
    row.first_thread = first.first % threads_a_block_;
    row.last_thread = last.first % threads_a_block_;
    if (first.first == last.first) {
      row.reads = runs_of(first.second, false);
      row.writes = runs_of(first.second, true);
    } else {
      const auto count = static_cast<std::int64_t>(last.first - first.first);
      for (std::size_t i = 0; i < first.second.touches.size(); ++i) {
        const Touched::One &from = first.second.touches[i], &to = last.second.touches[i];
        (from.store ? row.writes : row.reads)
            .push_back({from.array, from.element, to.element, (to.element - from.element) / count,
                        from.stray});
      }
    }
    add(std::move(row));
  }

  /// Threads first .. end - 1 touched nothing: the rest of a block, whole blocks, the start of a block.
  void add_idle(std::uint64_t first, std::uint64_t end, bool fold) {
    while (first < end) {
      const std::uint64_t block = first / threads_a_block_, thread = first % threads_a_block_;
      WireRow row{block, block, thread, thread, {}, {}};
      if (fold && thread == 0 && end - first >= threads_a_block_) {
        row.last_block = end / threads_a_block_ - 1;
        row.last_thread = threads_a_block_ - 1;
      } else if (fold) {
        row.last_thread = std::min(threads_a_block_, thread + (end - first)) - 1;
      }
      first = row.last_block * threads_a_block_ + row.last_thread + 1;
      add(std::move(row));
    }
  }

  const AccessesExhibit& accesses_;
  std::size_t most_;
  std::uint64_t threads_a_block_ = 1;
  WireRows made_;
};

}  // namespace

WireRows rows_of(const AccessesExhibit& accesses, std::size_t most) {
  return RowMaker(accesses, most).make();
}

std::string run_text(const AccessesExhibit& accesses, const ElementRun& run) {
  std::string text = accesses.arrays.at(run.array).tensor.name + "[" + std::to_string(run.first);
  if (run.step != 0) {
    if (run.step != 1 && run.first + run.step != run.last)
      text += ", " + std::to_string(run.first + run.step);
    text += " … " + std::to_string(run.last);
  }
  return text + (run.stray ? "]✗" : "]");
}

std::string runs_text(const AccessesExhibit& accesses, const std::vector<ElementRun>& runs,
                      std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(runs.size(), most); ++i)
    text += (i ? "  " : "") + run_text(accesses, runs[i]);
  if (runs.size() > most) text += "  … +" + std::to_string(runs.size() - most);
  return text;
}

}  // namespace warpbook::lab
