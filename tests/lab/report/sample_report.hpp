// Reports for tests: one of every kind of exhibit with every member set, and the first kernel as it is and as it goes
// wrong.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/report/report.hpp"

namespace warpbook::lab::sample {

template <class T>
TensorExhibit tensor(std::string name, const std::vector<T>& values,
                     std::vector<std::uint64_t> shape = {}) {
  TensorExhibit made{std::move(name), device::element_type_of<T>::value, std::move(shape), {}, {}};
  if (made.shape.empty()) made.shape = {values.size()};
  const auto bytes = std::as_bytes(std::span(values));
  made.data.assign(bytes.begin(), bytes.end());
  return made;
}

/// What add(x, y, out, n) leaves behind where thread i reads x[i] and y[i] and writes out[to(i)]; to(i) < -1000 writes
/// nothing and reads nothing.
AccessesExhibit wires(std::int64_t n, std::uint32_t grid, std::uint32_t block,
                      const std::function<std::int64_t(std::int64_t)>& to);

/// The guarded kernel: threads past n touch nothing.
AccessesExhibit guarded(std::int64_t n, std::uint32_t grid, std::uint32_t block);
inline constexpr std::int64_t kNothing = -1'000'000;

/// A picture of width x height pixels, written tile by tile by blocks of `block`.
ImageExhibit tiles(std::uint64_t width, std::uint64_t height, const device::Dim3& block);

/// A filter whose coefficients are in constant memory, on an H200: every space touched, one of them not known.
SpacesExhibit spaces();

/// The same with a value's way over it.
SpacesExhibit journey();

/// 32 lanes of one warp, lane i `bytes` bytes at `at(i)` of an array "in" of `size` bytes.
SectorsExhibit lanes(std::uint32_t bytes, std::uint64_t size,
                     const std::function<std::uint64_t(unsigned)>& at, unsigned lanes = 32);

/// A machine with a compiler, a driver that is too old and no GPU.
StackExhibit stack();

/// Three functions of the same seven x; the second is the first one's slope, the third has gaps.
CurveExhibit curve();

/// Four runs below an H200's roofs: one of each slope and ceiling, and a copy, which has no operations.
RooflineExhibit roofline();

/// Two halves of an array on two streams of an H200: each is copied in, computed and copied out, so that a copy of one half runs
/// beside the kernel of the other.
TimelineExhibit timeline();

/// An array that was copied to an H200 twice, another one once, and one that came back.
MemoriesExhibit memories();

/// A warp of 32 lanes that parts at its second line: the even lanes issue three instructions, then the odd ones two.
WarpFilmExhibit warp_film();

/// 4 and 16 warps on four schedulers, a load of 40 clocks, 3 instructions, two rounds.
IssueSlotsExhibit issue_slots();

/// Eight schedules of a launch: right in three, wrong in two ways in four, and one that did not end; a barrier is missing between two
/// lines.
SchedulesExhibit schedules();

/// A block of 64 threads that fills a tile of 4 x 16 from "x", and reads each place twice: by its writer and
/// by the thread before.
TileExhibit tile();

/// A kernel that fails, the call that waits for it, and a line that the program does not reach.
TrailExhibit trail();

/// A block of 40 threads that fills 4 places and joins two pairs, and then forgets half of them. It did more than was seen.
TreeExhibit tree();

/// z = (3x + 2)^2 at x = 2, and its way back.
GraphExhibit graph();

DevicesExhibit devices();
PipelineExhibit pipeline();
/// Two groups, of which the first has two bars: 384 and 768 bytes.
BarsExhibit bars();
/// An H200.
GpuExhibit gpu();

/// Two kernels of ours on the frontier, one that both dominate, the reader's between them, and an earlier one of theirs.
ParetoExhibit pareto();

/// A product of 4 x 4 and depth 4 by block 3, whose 4 threads each compute two neighbours of c; a is loaded once, b by each thread.
ProductExhibit product();

/// An image of 2 x 2 in colours, a convolution whose backward pass takes longest, and a layer without a map.
LayersExhibit layers();

/// A classifier that learned for 30 of its 40 steps, two of which were observed, beside a second run that has not begun.
LearningExhibit learning();

/// Four cells, two classes and three samples, of which the network gets two right in the end.
BoundaryExhibit boundary();

/// cuDNN's list for a GPU that is not here, oneDNN's times, a library that is missing, kernels of our own.
AlgorithmsExhibit algorithms();

/// A 3 x 3 filter with padding 1 over channels x side x side, as the direct kernel leaves it behind: every thread read its
/// window, tap by tap. At most `most` outputs.
SlidingWindowExhibit slid(std::uint64_t channels, std::uint64_t side, std::uint64_t filters,
                          std::uint64_t most = 10'000);

/// Two small runs that differ in everything that a comparison holds.
ComparisonExhibit comparison();

/// Every kind once, no member at its default.
Report full_report();
device::LaunchRecord full_record();

Exhibit exhibit(ExhibitValue value);
std::shared_ptr<const Strings> strings(const std::string& language);
const Strings& english();

/// A language that shows of each string its key and its arguments (tests/key_strings.hpp).
const Strings& keys();

}  // namespace warpbook::lab::sample
