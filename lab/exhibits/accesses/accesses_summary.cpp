#include "lab/exhibits/accesses/accesses_summary.hpp"

#include <algorithm>

#include "lab/exhibits/tensor/tensor.hpp"

namespace warpbook::lab {
namespace {

template <class T>
std::uint64_t distinct(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  return static_cast<std::uint64_t>(std::unique(values.begin(), values.end()) - values.begin());
}

/// Calls `use(first, last)` for each run of equal values in a sorted vector.
template <class T, class Use>
void for_each_run(const std::vector<T>& sorted, Use&& use) {
  for (auto first = sorted.begin(); first != sorted.end();) {
    const auto last = std::upper_bound(first, sorted.end(), *first);
    use(*first, static_cast<std::uint64_t>(last - first));
    first = last;
  }
}

void summarise_writers(std::vector<std::uint64_t> writers, ArraySummary& summary) {
  if (writers.empty()) return;
  std::sort(writers.begin(), writers.end());
  summary.first_writer = writers.front();
  summary.last_writer = writers.back();
  summary.one_each = true;
  for_each_run(writers, [&](std::uint64_t, std::uint64_t times) {
    ++summary.writers;
    if (times > 1) summary.one_each = false;
  });
}

void summarise_elements(std::vector<std::uint64_t> written, ArraySummary& summary) {
  std::sort(written.begin(), written.end());
  std::uint64_t next = 0;
  const auto gap_to = [&](std::uint64_t end) {
    for (std::uint64_t i = next; i < end && summary.first_unwritten.size() < AccessesSummary::kFew;
         ++i) {
      summary.first_unwritten.push_back(i);
    }
    summary.unwritten += end - next;
  };
  for_each_run(written, [&](std::uint64_t element, std::uint64_t times) {
    gap_to(element);
    next = element + 1;
    ++summary.written;
    if (times < 2) return;
    ++summary.repeated;
    if (times > summary.most_times) {
      summary.most_times = times;
      summary.most_repeated = element;
    }
  });
  gap_to(summary.elements);
}

}  // namespace

std::uint64_t thread_of(const AccessesExhibit& accesses, const AccessesExhibit::Wire& wire) {
  return wire.block * accesses.block.count() + wire.thread;
}

bool is_stray(const AccessesExhibit& accesses, const AccessesExhibit::Wire& wire) {
  return wire.element < 0 ||
         static_cast<std::uint64_t>(wire.element) >= held(accesses.arrays.at(wire.array).tensor);
}

AccessesSummary summarise(const AccessesExhibit& accesses) {
  struct Gathered {
    std::vector<std::uint64_t> written, read, writers, readers;
  };
  std::vector<Gathered> gathered(accesses.arrays.size());
  std::vector<std::uint64_t> storing;
  AccessesSummary summary;
  summary.block = accesses.block.count();
  summary.threads = accesses.grid.count() * summary.block;
  summary.arrays.resize(accesses.arrays.size());
  for (std::size_t a = 0; a < accesses.arrays.size(); ++a)
    summary.arrays[a].elements = held(accesses.arrays[a].tensor);

  for (const AccessesExhibit::Wire& wire : accesses.wires) {
    ArraySummary& array = summary.arrays.at(wire.array);
    Gathered& of_array = gathered[wire.array];
    const Touch touch{thread_of(accesses, wire), wire.element};
    const bool stray = is_stray(accesses, wire);
    if (wire.kind == device::AccessKind::load) {
      if (stray) {
        if (array.stray_loads++ == 0) array.first_stray_load = touch;
        continue;
      }
      ++array.loads;
      of_array.read.push_back(static_cast<std::uint64_t>(wire.element));
      of_array.readers.push_back(touch.thread);
      continue;
    }
    storing.push_back(touch.thread);
    if (stray) {
      if (array.stray_stores++ == 0) array.first_stray_store = touch;
      continue;
    }
    ++array.stores;
    of_array.written.push_back(static_cast<std::uint64_t>(wire.element));
    of_array.writers.push_back(touch.thread);
    if (!array.not_own && static_cast<std::uint64_t>(wire.element) != touch.thread)
      array.not_own = touch;
  }

  summary.storing = distinct(std::move(storing));
  for (std::size_t a = 0; a < gathered.size(); ++a) {
    summary.arrays[a].read = distinct(std::move(gathered[a].read));
    summary.arrays[a].readers = distinct(std::move(gathered[a].readers));
    summarise_writers(std::move(gathered[a].writers), summary.arrays[a]);
    summarise_elements(std::move(gathered[a].written), summary.arrays[a]);
  }
  return summary;
}

}  // namespace warpbook::lab
