#include "lab/exercise/sharing.hpp"

#include <algorithm>

namespace warpbook::lab {
namespace {

/// As many as share a whole evenly: all of them where their parts are equal, k where k of them have equal parts and the others none.
double equal_parts(std::span<const std::uint32_t> parts) {
  double sum = 0, squares = 0;
  for (const double part : parts) {
    sum += part;
    squares += part * part;
  }
  return squares == 0 ? 0 : sum * sum / squares;
}

double threads_of(const device::Dim3& grid, const device::Dim3& block) {
  return static_cast<double>(grid.count() * block.count());
}

/// The elements of the arrays that each of so many threads was the last to write.
double evenness_of(std::span<const device::WriteMap> maps, double threads) {
  std::vector<std::uint32_t> by_thread;
  for (const device::WriteMap& map : maps) {
    for (const std::int64_t writer : map.writer) {
      if (writer < 0) continue;
      const auto thread = static_cast<std::size_t>(writer);
      if (thread >= by_thread.size()) by_thread.resize(thread + 1);
      ++by_thread[thread];
    }
  }
  return by_thread.empty() ? 1 : equal_parts(by_thread) / threads;
}

/// The threads of the launch that writes an array, where there are several launches: workspaces are the first one's, and outputs the
/// last one's.
double threads_that_write(const std::string& array, const Trial& trial) {
  const auto written = std::ranges::find(trial.arrays, array, &TrialArray::name);
  if (written == trial.arrays.end() || !written->output) return threads_of(trial.grid, trial.block);
  const NextLaunch& last = trial.next.back();
  return threads_of(last.grid.value_or(trial.grid), last.block.value_or(trial.block));
}

}  // namespace

double storing_evenness(const Trial& trial, const device::LaunchRecord& record) {
  const std::span<const device::WriteMap> maps = record.written;
  if (trial.next.empty()) return evenness_of(maps, threads_of(trial.grid, trial.block));
  // A thread's number means another thread in each launch, so arrays are not added up.
  double least = 1;
  for (std::size_t i = 0; i < maps.size(); ++i)
    least =
        std::min(least, evenness_of(maps.subspan(i, 1), threads_that_write(maps[i].name, trial)));
  return least;
}

Evenness least_even(const Trial& trial, const device::LaunchRecord& got,
                    const device::LaunchRecord& solution, SharedKinds kinds) {
  Evenness least{"computing", got.thread_evenness, solution.thread_evenness};
  const auto consider = [&](const Evenness& side) {
    if (side.ratio() < least.ratio()) least = side;
  };
  if (kinds.stores)
    consider({"storing", storing_evenness(trial, got), storing_evenness(trial, solution)});
  if (kinds.loads) consider({"loading", got.fetch_evenness, solution.fetch_evenness});
  return least;
}

double readers_of(const device::LaunchRecord& record, const std::string& array) {
  const auto read = std::ranges::find(record.allocations, array, &device::AllocationInfo::name);
  if (read == record.allocations.end()) return 0;
  std::vector<std::uint32_t> by_thread(
      static_cast<std::size_t>(record.grid.count() * record.block.count()));
  for (const device::Access& access : record.trace) {
    const bool inside = access.space == device::Space::global &&
                        access.kind == device::AccessKind::load &&
                        access.address - read->address < read->bytes;
    if (inside) by_thread[access.block * record.block.count() + access.thread] += access.bytes;
  }
  return equal_parts(by_thread);
}

double longest_over_mean(const device::LaunchRecord& record, bool of_warps) {
  const std::uint64_t warps = record.grid.count() *
                              ((record.block.count() + device::kLanes - 1) / device::kLanes),
                      threads = record.grid.count() * record.block.count();
  const auto times = [](std::uint64_t longest, std::uint64_t workers, std::uint64_t all) {
    return static_cast<double>(longest * workers) /
           static_cast<double>(std::max<std::uint64_t>(all, 1));
  };
  return of_warps ? times(record.longest_warp, warps, record.total.warp_instructions)
                  : times(record.longest_lane, threads, record.total.thread_instructions);
}

}  // namespace warpbook::lab
