// Timelines: what their renderers share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/exhibits/timeline/timeline.hpp"

namespace warpbook::lab {

bool is_copy(TimelineExhibit::Activity activity);
/// Copies, fills and kernels; the rest the host does.
bool is_on_device(TimelineExhibit::Activity activity);
/// The rows beside the host's are streams; without the host they are parts of the device.
bool has_streams(const TimelineExhibit& timeline);
/// The key of what a table calls the rows.
const char* row_head(const TimelineExhibit& timeline);
/// Both 0 where its times make no sense.
double begin_of(const TimelineExhibit::Span& span);
double seconds_of(const TimelineExhibit::Span& span);

/// Seconds to the end of everything; 0 where only the order is known.
double whole_of(const TimelineExhibit& timeline);

/// How long what went on, in seconds; all 0 where only the order is known.
struct TimelineShares {
  double total = 0;       ///< as whole_of()
  double copies = 0;      ///< at least one copy is under way
  double kernels = 0;     ///< at least one kernel is
  double both = 0;        ///< a copy and a kernel are
  double overlapped = 0;  ///< two things or more are, on the device
  double idle = 0;        ///< nothing is, on the device
  double waiting = 0;     ///< a thread of the host waits
};
TimelineShares shares_of(const TimelineExhibit& timeline);

/// Two things on the device by their numbers.
using TimelinePair = std::pair<std::size_t, std::size_t>;
/// Those of two rows that run at once for the longest time; none where nothing overlaps.
std::optional<TimelinePair> longest_overlap(const TimelineExhibit& timeline);

/// Whether the order leaves two things on the device free to run at once.
struct TimelineFreedom {
  bool known = true;  ///< false: there are too many spans and rows to tell
  std::optional<TimelinePair> pair;
};
TimelineFreedom freedom_of(const TimelineExhibit& timeline);

/// Equal neighbours on a row as one: "300 × matrixMul". They are equal in all but their times, and no other row waits for one of
/// them, or lets one wait, but at the end and at the beginning.
struct TimelineRun {
  std::uint32_t row = 0;
  std::uint32_t first = 0;    ///< the number of its first span
  std::uint32_t count = 1;    ///< spans
  double begin = 0, end = 0;  ///< seconds; steps where only the order is known
  double seconds = 0;         ///< of all of its spans
  std::uint64_t bytes = 0;    ///< of all of its spans
};
/// Runs in the order of their first spans, and the run of each span. Where only the order is known, each run takes one step, the
/// first that comes after all that it has to wait for.
struct TimelineRuns {
  std::vector<TimelineRun> runs;
  std::vector<std::uint32_t> of_span;
};
TimelineRuns runs_of(const TimelineExhibit& timeline);
/// What is drawn one by one: each span by its time, or, where only the order is known, each run by its step. On each row they are
/// in the order in which they begin.
TimelineRuns items_of(const TimelineExhibit& timeline);
/// Where the axis ends that holds all items: seconds, or steps.
double axis_end(const TimelineExhibit& timeline, const TimelineRuns& items);

/// Where a time or step lies on the axis: 0 to 1.
double axis_share(double at, double end);

/// How long each activity takes, by its number.
using ActivityParts = std::array<double, device::kEnumNames<TimelineExhibit::Activity>.size()>;
/// Decides what places along a row show where several activities share a place. Over neighbouring places, each is shown as often as
/// its time asks for, so that no activity hides another that takes nearly as long.
class ActivityMixture {
 public:
  /// Of those that take a part of the place; at least one has to.
  TimelineExhibit::Activity shown(const ActivityParts& place);

 private:
  ActivityParts owed_{};
};

/// A part of the axis, in seconds or steps.
struct TimelineStretch {
  double begin = 0, end = 0;
  [[nodiscard]] double length() const { return end - begin; }
  friend bool operator==(const TimelineStretch&, const TimelineStretch&) = default;
};
/// `factor` times as long, with `at` staying where it is on the screen; within an axis from 0 to `end`, of which it is never shorter
/// than a part in kClosest.
TimelineStretch zoomed(const TimelineStretch& stretch, double factor, double at, double end);
inline constexpr double kClosest = 4096;
/// Moved along the axis, as far as that goes.
TimelineStretch moved(const TimelineStretch& stretch, double by, double end);

/// Times or steps that a stretch of the axis is marked with: multiples of 1, 2 or 5 times a power of ten, at most `most`.
std::vector<double> axis_marks(const TimelineStretch& stretch, std::size_t most);
/// What stands at a mark: as many digits as tell it from its neighbour, `step` away.
std::string mark_text(double mark, double step);

/// "84", "0.35": a share of the whole in per cent.
std::string share_text(double part, double whole);
/// "kernel", "copy to the device".
std::string activity_name(TimelineExhibit::Activity activity, const Strings& strings);
/// The sign that an activity has in a terminal, one column wide.
std::string_view activity_sign(TimelineExhibit::Activity activity);
/// The kinds of activity that there are, in the order of the enum.
std::vector<TimelineExhibit::Activity> activities_of(const TimelineExhibit& timeline);
/// "matrixMul", "300 × matrixMul".
std::string run_name(const TimelineExhibit& timeline, const TimelineRun& run);
/// "the kernel saxpy (stream 1)".
std::string span_name(const TimelineExhibit& timeline, std::size_t span, const Strings& strings);
/// All of a run in a few sentences. `whole`: the seconds of which it takes a share.
std::string run_text(const TimelineExhibit& timeline, const TimelineRun& run, double whole,
                     const Strings& strings);

/// What a table of the longest shows, at most `most` rows: all that is equal on a row as one row, by the time that it takes together.
/// Where only the order is known, the first runs.
std::vector<TimelineRun> longest_runs(const TimelineExhibit& timeline, std::size_t most,
                                      std::uint64_t& left_out);
std::vector<std::string> run_head(const TimelineExhibit& timeline, const Strings& strings);
std::vector<std::string> table_row_of(const TimelineExhibit& timeline, const TimelineRun& run,
                                      double whole, const Strings& strings);

}  // namespace warpbook::lab
