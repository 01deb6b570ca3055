// First kernel: one function, many indices, and a guard for the threads that have no element.
#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "lab/exhibits/exhibit.hpp"
#include "lab/experiment/lesson.hpp"
#include "lessons/calls.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons {
namespace {

using lab::Message;

/// Frees the buffers and adds these calls to `calls`, but none that looking at the result took before.
void release(std::initializer_list<device::Buffer*> buffers, const device::Device& device,
             std::vector<device::HostCall>& calls) {
  const auto before = static_cast<std::ptrdiff_t>(device.host_calls().size());
  for (device::Buffer* buffer : buffers) *buffer = device::Buffer();
  const std::vector<device::HostCall> all = device.host_calls();
  calls.insert(calls.end(), all.begin() + before, all.end());
}

/// The chapter's run. Reads like the host side of a CUDA program.
void first_kernel_experiment(lab::Lab& lab) {
  const std::int64_t n = lab.integer("n");
  const std::int64_t block = lab.integer("block");
  const std::uint32_t grid = blocks_for(n, block);

  std::vector<int> x(static_cast<std::size_t>(n)), y(x.size()), truth(x.size());
  std::iota(x.begin(), x.end(), 1);
  std::iota(y.begin(), y.end(), 5);
  std::ranges::transform(x, y, truth.begin(), std::plus{});

  // Call by call what program/vector_add.cu does, which the page shows beside these.
  const auto add = lab.compile("add");
  device::Buffer d_x = lab.allocate("x", device::ElementType::i32, x.size());
  device::Buffer d_y = lab.allocate("y", device::ElementType::i32, y.size());
  device::Buffer d_out = lab.allocate("out", device::ElementType::i32, x.size());
  lab.copy_in(d_x, std::as_bytes(std::span(x)));
  lab.copy_in(d_y, std::as_bytes(std::span(y)));

  device::Launch launch;
  launch.module = add;
  launch.grid = {grid, 1, 1};
  launch.block = {static_cast<std::uint32_t>(block), 1, 1};
  launch.arguments = {pointer_argument(d_x), pointer_argument(d_y), pointer_argument(d_out),
                      number_argument(n)};
  const auto record = lab.launch(std::move(launch));
  (void)lab.device().synchronise();  // what went wrong is in the report already
  const std::vector<int> out = lab.download<int>(d_out);
  std::vector<device::HostCall> calls = lab.device().host_calls();

  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  // Fetched before they are put into a list: where a cancel ends the run inside a braced list, GCC 12 destroys what the
  // list holds twice.
  const lab::TensorExhibit in_x = lab.tensor(d_x), in_y = lab.tensor(d_y);
  lab::TensorExhibit result = lab.tensor(d_out);
  release({&d_x, &d_y, &d_out}, lab.device(), calls);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] != truth[i]) result.wrong.push_back(i);
  }
  lab.show({"wires",
            {"first-kernel.wires"},
            counted,
            lab::accesses_of(*record, {{in_x, false}, {in_y, false}, {result, true}})});
  lab.show({"geometry", {"first-kernel.geometry"}, counted, lab::geometry_of(*record)});
  lab.show({"out", {"first-kernel.out"}, counted, std::move(result)});
  lab.show({"check",
            {"first-kernel.check.title"},
            counted,
            check_of("first-kernel.check.", *record, out, truth)});
  lab.show({"time", {"run.time.title"}, std::nullopt, times_of(lab, *record)});
  lab.show(
      {"cost",
       {"first-kernel.cost.title"},
       counted,
       lab::BarsExhibit{{"first-kernel.cost.sentence",
                         {{"count", warps_of(*record)},
                          {"warps", lab::grouped(warps_of(*record))},
                          {"warp_instructions", lab::grouped(record->total.warp_instructions)}}},
                        {lanes_of(*record)}}});
  show_calls(lab, host_calls(calls), counted);

  // The same geometry once more, for a kernel that only counts who is there.
  const auto count = lab.compile("count");
  const std::vector<int> zero{0};
  const device::Buffer d_c = lab.upload<int>("c", zero);
  device::Launch counting;
  counting.module = count;
  counting.grid = {grid, 1, 1};
  counting.block = {static_cast<std::uint32_t>(block), 1, 1};
  counting.arguments = {pointer_argument(d_c)};
  lab.launch(std::move(counting));
  lab::TensorExhibit counter = lab.tensor(d_c);
  lab.show({"counter", {"first-kernel.counter"}, counted, std::move(counter)});
}

// Figures and answers are read off the report, never computed from the parameters.

std::string storing(const lab::Report& report) {
  const auto* geometry = report.find_as<lab::GeometryExhibit>("geometry");
  return geometry && geometry->idle_known ? lab::grouped(geometry->threads - geometry->idle) : "";
}

std::string elements_of(const lab::Report& report, std::string_view id) {
  const auto* tensor = report.find_as<lab::TensorExhibit>(id);
  if (!tensor) return {};
  std::string text;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(lab::count(*tensor), 16); ++i) {
    text += (i ? " " : "") + element_text(*tensor, i);
  }
  return text;
}

auto cost(const char* counter) {
  return [=](const lab::Report& report) { return text_argument(report, "cost", counter); };
}

/// Stores that the trace shows outside every array.
std::string stray_writes(const lab::Report& report) {
  const auto* accesses = report.find_as<lab::AccessesExhibit>("wires");
  if (!accesses) return {};
  return lab::grouped(
      static_cast<std::uint64_t>(std::ranges::count_if(accesses->wires, [&](const auto& wire) {
        return wire.kind != device::AccessKind::load &&
               (wire.element < 0 || wire.element >= static_cast<std::int64_t>(lab::count(
                                                        accesses->arrays[wire.array].tensor)));
      })));
}

/// Whether the launch was accepted, or the error by which CUDA refused it.
std::string launch_error(const lab::Report& report) {
  const bool refused = std::ranges::any_of(report.errors, [](const device::Error& error) {
    return error.code == device::ErrorCode::invalid_configuration;
  });
  return refused ? "refused" : report.find("out") ? "runs" : "";
}

/// The elements of `out`, or "none" where their values depend on which thread came first.
std::string promised(const lab::Report& report) {
  using Code = device::ErrorCode;
  const bool unordered = std::ranges::any_of(report.errors, [](const device::Error& error) {
    return error.code == Code::uninitialised_read || error.code == Code::race_in_warp ||
           error.code == Code::race_in_block || error.code == Code::race_in_line ||
           error.code == Code::race_between_blocks;
  });
  return unordered ? "none" : elements_of(report, "out");
}

}  // namespace

lab::Lesson first_kernel() {
  lab::Lesson lesson;
  lesson.slug = "first-kernel";
  const std::string words = "first-kernel.parameter.", presets = "first-kernel.preset.";
  // Up to past CUDA's 1,024 threads on purpose: one question asks what happens to such a launch.
  lesson.parameters = {whole_number(words, "n", "first-kernel.unit.elements", 4, 1, 1024),
                       whole_number(words, "block", "first-kernel.unit.threads", 4, 1, 1100)};
  using Int = std::int64_t;
  lesson.presets = {preset(presets, "four", {{"n", Int{4}}, {"block", Int{4}}}),
                    preset(presets, "ten", {{"n", Int{10}}, {"block", Int{4}}}),
                    preset(presets, "thousand", {{"n", Int{1000}}, {"block", Int{256}}})};
  lesson.slots = {{"add", "kernels/add/01_guarded.cu"},
                  {"count", "lessons/first-kernel/variants/count.cu"}};
  lesson.experiment = first_kernel_experiment;
  lesson.figures = {{"threads", threads_started},
                    {"blocks", blocks_started},
                    {"idle", idle_threads},
                    {"storing", storing},
                    {"strays", stray_writes},
                    {"out", [](const lab::Report& r) { return elements_of(r, "out"); }},
                    {"counter", [](const lab::Report& r) { return elements_of(r, "counter"); }},
                    {"warps", cost("warps")},
                    {"warp-instructions", cost("warp_instructions")}};
  std::ranges::move(call_figures(), std::back_inserter(lesson.figures));
  lesson.answers = {{"out", [](const lab::Report& r) { return elements_of(r, "out"); }},
                    {"counter", [](const lab::Report& r) { return elements_of(r, "counter"); }},
                    {"idle", idle_threads},
                    {"strays", stray_writes},
                    {"warp-instructions", cost("warp_instructions")},
                    {"launch", launch_error},
                    {"promised", promised}};
  lesson.exercises = {"saxpy", "grid-stride"};
  return lesson;
}

}  // namespace warpbook::lessons
