#include "lessons/streams/pipeline.hpp"

#include <algorithm>
#include <array>

#include "lab/exhibits/timeline/timeline_summary.hpp"

namespace warpbook::lessons::streams {
namespace {

using device::runtime::Engine;
using Activity = lab::TimelineExhibit::Activity;
using Work = lab::HostSide::Work;

/// The kernels' own stream; those of the chunks are numbered from 1.
constexpr std::uint32_t kWorkStream = 100;
constexpr std::array kStages{Stage::copy_in, Stage::kernel, Stage::copy_out};
constexpr std::array kActivities{Activity::copy_in, Activity::kernel, Activity::copy_out};

/// The streams by the names that they have in the text.
void name_streams(lab::TimelineExhibit& timeline) {
  for (auto& row : timeline.rows) {
    if (row == lab::stream_row(kWorkStream)) row.name = lab::Message::plain("work");
    for (std::uint32_t k = 0; k < kMostStreams; ++k)
      if (row == lab::stream_row(k + 1))
        row.name = lab::Message::plain("s[" + std::to_string(k) + "]");
  }
}

/// Makes the calls of one film.
class Calls {
 public:
  Calls(const Setting& setting, const device::runtime::CopyModel& copies,
        const std::function<Work(std::int64_t)>& kernel)
      : setting_(setting), copies_(copies), kernel_(kernel) {}

  Planned make(const lab::Message& gpu) {
    if (setting_.non_blocking) {
      for (std::int64_t k = 0; k < setting_.streams; ++k) host_.make_independent(stream_of(k));
      host_.make_independent(kWorkStream);
    }
    if (setting_.graph) host_.spend("cudaGraphLaunch", lab::HostSide::kOneCall);
    if (setting_.breadth_first) {
      for (const Stage stage : kStages)
        for (std::int64_t k = 0; k < setting_.chunks; ++k) ask(stage, k);
    } else {
      for (std::int64_t k = 0; k < setting_.chunks; ++k)
        for (const Stage stage : kStages) ask(stage, k);
    }
    host_.wait("cudaDeviceSynchronize");
    planned_.races = host_.races();
    planned_.timeline = host_.timeline(gpu);
    name_streams(planned_.timeline);
    return std::move(planned_);
  }

 private:
  [[nodiscard]] std::uint32_t stream_of(std::int64_t chunk) const {
    return static_cast<std::uint32_t>(1 + chunk % setting_.streams);
  }
  [[nodiscard]] bool has_kernel_stream() const { return setting_.launches == kKernelStream; }
  [[nodiscard]] std::uint32_t stream_of(Stage stage, std::int64_t chunk) const {
    if (stage != Stage::kernel || setting_.launches == kOwnStream) return stream_of(chunk);
    return has_kernel_stream() ? kWorkStream : 0;
  }

  void ask(Stage stage, std::int64_t chunk) {
    const std::uint32_t stream = stream_of(stage, chunk);
    // Each stage needs the one before it; in one stream it waits for it anyway.
    const bool waits_for_stage =
        stage == Stage::copy_out || (stage == Stage::kernel && setting_.arrival);
    if (has_kernel_stream() && waits_for_stage)
      let_wait(stream_of(stage == Stage::kernel ? Stage::copy_in : Stage::kernel, chunk), stream);
    const Work work = work_of(stage, chunk, stream);
    const char* call = stage == Stage::kernel ? "cudaLaunchKernel" : "cudaMemcpyAsync";
    const bool waits = stage != Stage::kernel && !setting_.pinned;
    const auto time = setting_.graph ? host_.work(work)
                      : waits        ? host_.ask_and_wait(call, work)
                                     : host_.ask(call, work);
    planned_.operations.push_back({stage, chunk, stream, time});
  }

  void let_wait(std::uint32_t before, std::uint32_t stream) {
    if (!setting_.graph) {
      host_.spend("cudaEventRecord", lab::HostSide::kOneCall);
      host_.spend("cudaStreamWaitEvent", lab::HostSide::kOneCall);
    }
    host_.record_event(++events_, before);
    host_.wait_for_event(stream, events_);
  }

  [[nodiscard]] Work work_of(Stage stage, std::int64_t chunk, std::uint32_t stream) const {
    const std::int64_t pixels = setting_.pixels(chunk);
    const auto bytes = static_cast<std::uint64_t>(pixels);
    Work work = stage == Stage::kernel ? kernel_(pixels) : Work{};
    if (stage != Stage::kernel) {
      work.engine = stage == Stage::copy_in ? Engine::copy_in : Engine::copy_out;
      work.time = copies_.over_link(bytes, setting_.pinned);
      work.bytes = bytes;
    }
    work.name = std::to_string(chunk);
    work.stream = stream;
    work.footprint = footprint_of(stage, chunk);
    return work;
  }

  /// The scratched film lies in front of the clean one.
  [[nodiscard]] device::runtime::Footprint footprint_of(Stage stage, std::int64_t chunk) const {
    const auto at = [&](std::int64_t frames) {
      return static_cast<std::uint64_t>(setting_.frame * frames);
    };
    const std::int64_t begin = setting_.first_frame(chunk), end = setting_.first_frame(chunk + 1);
    const device::runtime::Extent film{at(begin), at(end)},
        clean{at(kFrames + begin), at(kFrames + end)};
    if (stage == Stage::copy_in) return {{}, {film}};
    if (stage == Stage::copy_out) return {{clean}, {}};
    return {{film}, {clean}};
  }

  const Setting& setting_;
  const device::runtime::CopyModel& copies_;
  const std::function<Work(std::int64_t)>& kernel_;
  lab::HostSide host_;
  Planned planned_;
  std::uint32_t events_ = 0;
};

}  // namespace

Setting::Setting(lab::Lab& lab)
    : chunks(lab.integer("chunks")),
      streams(lab.integer("streams")),
      frame(lab.integer("frame")),
      radius(lab.integer("radius")),
      pinned(lab.choice("memory") == kPinned),
      breadth_first(lab.choice("order") == kBreadthFirst),
      non_blocking(lab.choice("flags") == kNonBlocking),
      arrival(lab.toggle("arrival")),
      graph(lab.toggle("graph")),
      launches(lab.choice("launches")) {
  // The legacy default stream cannot be captured into a graph.
  if (graph && launches == kDefaultStream) launches = kOwnStream;
}

Planned plan(const Setting& setting, const device::runtime::CopyModel& copies,
             const std::function<Work(std::int64_t pixels)>& kernel, const lab::Message& gpu) {
  return Calls(setting, copies, kernel).make(gpu);
}

lab::TimelineExhibit by_stage(const lab::TimelineExhibit& timeline) {
  lab::TimelineExhibit stages;
  stages.times = timeline.times;
  stages.total = timeline.total;
  stages.low = timeline.low;
  stages.high = timeline.high;
  stages.rows = {{{"streams.stage.in"}, false},
                 {{"streams.stage.kernels"}, false},
                 {{"streams.stage.out"}, false}};
  for (const auto& span : timeline.spans) {
    const auto stage = std::ranges::find(kActivities, span.activity);
    if (stage == kActivities.end()) continue;
    auto& placed = stages.spans.emplace_back(span);
    placed.row = static_cast<std::uint32_t>(stage - kActivities.begin());
    placed.call.reset();
    placed.after.clear();
  }
  return stages;
}

StageTimes stage_times(const lab::TimelineExhibit& timeline) {
  StageTimes times;
  for (const auto& span : timeline.spans) {
    if (span.activity == Activity::copy_in) times.in += lab::seconds_of(span);
    if (span.activity == Activity::kernel) times.kernels += lab::seconds_of(span);
    if (span.activity == Activity::copy_out) times.out += lab::seconds_of(span);
  }
  return times;
}

}  // namespace warpbook::lessons::streams
