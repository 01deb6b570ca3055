// The chapter's host program: a film goes through the GPU in chunks, and streams, events and the order of the calls are those that
// the reader chose. When each operation would run the clock of whole programs says.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/experiment/host_side.hpp"
#include "lab/experiment/lesson.hpp"

namespace warpbook::lessons::streams {

inline constexpr std::string_view kPinned = "pinned", kPageable = "pageable";
inline constexpr std::string_view kDepthFirst = "depth-first", kBreadthFirst = "breadth-first";
/// The fourth argument of the launches: the stream of the chunk, the default stream, or one stream for all kernels.
inline constexpr std::string_view kOwnStream = "s[k]", kDefaultStream = "0", kKernelStream = "work";
inline constexpr std::string_view kBlocking = "cudaStreamDefault",
                                  kNonBlocking = "cudaStreamNonBlocking";
inline constexpr std::uint32_t kMostStreams = 8;
inline constexpr std::int64_t kFrames = 64;
inline constexpr std::int64_t kWidth = 1000;   ///< pixels of a row
inline constexpr std::int64_t kThreads = 256;  ///< in a block

/// What the reader has chosen.
struct Setting {
  explicit Setting(lab::Lab& lab);

  std::int64_t chunks = 1, streams = 1, frame = 0, radius = 0;
  bool pinned = true, breadth_first = false, non_blocking = false;
  bool arrival =
      true;  ///< kernels in a stream of their own wait for the event that their chunk is there
  bool graph = false;
  std::string launches;

  /// Frames are dealt out as evenly as possible; gives the first frame of a chunk.
  [[nodiscard]] std::int64_t first_frame(std::int64_t chunk) const {
    return kFrames * chunk / chunks;
  }
  [[nodiscard]] std::int64_t pixels(std::int64_t chunk) const {
    return frame * (first_frame(chunk + 1) - first_frame(chunk));
  }
};

enum class Stage : std::uint8_t { copy_in, kernel, copy_out };
/// What is done with one chunk, and when.
struct Operation {
  Stage stage = Stage::copy_in;
  std::int64_t chunk = 0;
  std::uint32_t stream = 0;
  device::runtime::Interval time;
};

struct Planned {
  std::vector<Operation> operations;  ///< in the order in which the host asks for them
  std::vector<device::runtime::StreamRace> races;
  lab::TimelineExhibit timeline;  ///< by streams
};

/// `kernel`: the launch that mends so many pixels. The clock starts when all memory is there and, where there is a graph, when that
/// has been made.
Planned plan(const Setting& setting, const device::runtime::CopyModel& copies,
             const std::function<lab::HostSide::Work(std::int64_t pixels)>& kernel,
             const lab::Message& gpu);

/// The same, with a row for each part of the GPU that works: copies to the device, kernels, copies to the host.
lab::TimelineExhibit by_stage(const lab::TimelineExhibit& timeline);

/// Seconds that each part of the GPU works.
struct StageTimes {
  double in = 0, kernels = 0, out = 0;
  [[nodiscard]] double sum() const { return in + kernels + out; }
};
StageTimes stage_times(const lab::TimelineExhibit& timeline);

}  // namespace warpbook::lessons::streams
