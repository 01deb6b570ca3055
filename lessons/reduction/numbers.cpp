// What rounding and order make of a sum.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lab/exhibits/curve/curve_summary.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/schedules/schedules_of.hpp"
#include "lab/text/source_text.hpp"
#include "lessons/common.hpp"
#include "lessons/reduction/runs.hpp"
#include "lessons/replay.hpp"

namespace warpbook::lessons::reduction {
namespace {

using Defines = std::vector<std::pair<std::string, std::string>>;
using Module = std::shared_ptr<const device::Module>;

constexpr const char* kVariants = "lessons/reduction/variants/";
constexpr std::int64_t kCountingBlocks = 1024;
constexpr std::int64_t kDoublings = 19;  ///< sums of 1, 2, 4, ..., 2^18 values
/// What a household uses in a quarter of an hour at night, in kWh. No float is exactly 0.1.
constexpr float kStandby = 0.1f;
constexpr std::int64_t kSquared = 1000;
constexpr std::int64_t kOrdered = 128, kOrderedBlock = 32;  ///< households whose order varies

device::CompileRequest request_of(lab::Lab& lab, const std::string& name,
                                  const Defines& defines = {}) {
  const std::string file = name + ".cu";
  return lab.request_of(
      file, lab::require(lab::read_source_file(lab.context().root, kVariants + file)), defines);
}

Module compile_variant(lab::Lab& lab, const std::string& name, const Defines& defines = {}) {
  return lab::require(lab.device().load(lab.program(request_of(lab, name, defines))));
}

/// What households use in a quarter of an hour, in kWh: about 0.125, and none that a float holds exactly.
std::vector<float> quarter_hours(std::int64_t n) {
  std::vector<float> made;
  for (std::int64_t i = 0; i < n; ++i)
    made.push_back(0.05f + 0.0015f * static_cast<float>(i * 37 % 101));
  return made;
}

void run_to_end(lab::Lab& lab, device::Launch launch) {
  launch.observe.trace_accesses = 0;
  lab.launch(std::move(launch));
}

// Ones.

/// What a CPU's loop makes of n ones. Once an addition changes nothing, no later one does.
float counted_in_line(std::int64_t n) {
  float sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const float next = sum + 1;
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

Defines defines_of(const std::string& type) {
  if (type == "half") return {{"F16", "1"}};
  if (type == "bfloat16") return {{"BF16", "1"}};
  return {};
}

/// One value of a launch on a single thread or a single block.
float one_result(lab::Lab& lab, device::Launch launch, const device::Buffer& d_out) {
  run_to_end(lab, std::move(launch));
  return lab.download<float>(d_out)[0];
}

float counted_by_tree(lab::Lab& lab, const Module& module, const device::Buffer& d_out,
                      std::int64_t n) {
  const device::Buffer d_sums =
      lab.allocate("sums", device::ElementType::f32, static_cast<std::uint64_t>(kCountingBlocks));
  run_to_end(lab, launch_of(module, "count", kCountingBlocks * kBookBlock, kBookBlock,
                            {pointer_argument(d_sums), number_argument(n)}));
  return one_result(lab,
                    launch_of(module, "join", kBookBlock, kBookBlock,
                              {pointer_argument(d_sums), pointer_argument(d_out),
                               number_argument(kCountingBlocks)}),
                    d_out);
}

/// A count without a fraction; one that a type overflowed with is "inf", and as long as the exact one.
lab::BarsExhibit::Bar whole(const char* label, float count, std::int64_t exact) {
  lab::Message said{std::string("reduction.count.") + label};
  return std::isfinite(count) ? count_bar(std::move(said), static_cast<std::uint64_t>(count))
                              : lab::BarsExhibit::Bar{std::move(said), static_cast<double>(exact),
                                                      lab::number(count)};
}

// Under many schedules.

/// A sum that takes some launches, and where it is in the end.
struct Summed {
  std::vector<device::Launch> launches;
  const device::Buffer* total = nullptr;
};

lab::SchedulesExhibit under_schedules(lab::Lab& lab, const Summed& summed, float truth) {
  const lab::TensorExhibit wanted = tensor_of("total", std::vector{truth});
  std::vector<std::optional<lab::TensorExhibit>> outputs;
  for (std::uint32_t schedule = 0; schedule < kReplays; ++schedule) {
    lab.progress(static_cast<double>(schedule) / kReplays, {});
    lab.fill(*summed.total, std::byte{0});
    for (device::Launch launch : summed.launches) {
      launch.seed = schedule;
      run_to_end(lab, std::move(launch));
    }
    outputs.emplace_back(lab.tensor(*summed.total, wanted.shape));
  }
  lab::SchedulesExhibit made = lab::schedules_of(wanted, outputs);
  made.seeded = lab.device().supports(device::Feature::seeds);
  return made;
}

}  // namespace

void compile_numbers_soon(lab::Lab& lab) {
  lab.compile_soon(request_of(lab, "numbers", defines_of(lab.choice("type"))));
  for (const char* name : {"squares", "fixed", "atomics"}) lab.compile_soon(request_of(lab, name));
}

void count_ones(lab::Lab& lab, const device::Evidence& counted) {
  const std::string type = lab.choice("type");
  const std::int64_t n = lab.integer("meters");
  const Module module = compile_variant(lab, "numbers", defines_of(type));
  const device::Buffer d_out = lab.allocate("out", device::ElementType::f32, 1);
  const float in_line = type == "float"
                            ? counted_in_line(n)
                            : one_result(lab,
                                         launch_of(module, "count_in_line", 1, 1,
                                                   {pointer_argument(d_out), number_argument(n)}),
                                         d_out);
  const float by_tree = counted_by_tree(lab, module, d_out, n);
  show_side_by_side(lab, "reduction.", "count", counted, {"found"},
                    {{whole("in-line", in_line, n)},
                     {whole("tree", by_tree, n)},
                     {count_bar({"reduction.count.exact"}, static_cast<std::uint64_t>(n))}},
                    {{"type", type}});
}

void errors(lab::Lab& lab, const device::Evidence& counted) {
  const std::vector<float> x(std::size_t{1} << (kDoublings - 1), kStandby);
  const Module module = compile_variant(lab, "numbers", defines_of(lab.choice("type")));
  const device::Buffer d_x = lab.upload<float>("x", x);
  const device::Buffer d_out = lab.allocate("out", device::ElementType::f32, kDoublings);
  const auto millionths = [&](device::Launch launch) {
    run_to_end(lab, std::move(launch));
    std::vector<float> of_sum = lab.download<float>(d_out);
    for (std::size_t k = 0; k < of_sum.size(); ++k) {
      const double truth = std::ldexp(static_cast<double>(kStandby), static_cast<int>(k));
      of_sum[k] = static_cast<float>(1e6 * std::abs(of_sum[k] - truth) / truth);
    }
    return of_sum;
  };
  const std::vector<device::Argument> arguments{pointer_argument(d_x), pointer_argument(d_out)};
  std::vector<lab::CurveExhibit::Series> series(2);
  series[0].name = {"reduction.errors.in-line", {}, {}};
  series[0].values = tensor_of(
      "in line", millionths(launch_of(module, "in_line", kDoublings, kDoublings, arguments)));
  series[1].name = {"reduction.errors.tree", {}, {}};
  series[1].values = tensor_of(
      "tree",
      millionths(launch_of(module, "by_tree", kDoublings * kBookBlock, kBookBlock, arguments)));
  std::vector<float> doublings(kDoublings);
  std::iota(doublings.begin(), doublings.end(), 0.0f);
  lab.show({"errors",
            {"reduction.errors.title"},
            counted,
            lab::curve_of(lab::Message::plain("log2(n)"), tensor_of("log2(n)", doublings),
                          std::move(series), kDoublings - 1)});
}

void squares(lab::Lab& lab, const device::Evidence& counted) {
  const std::vector<float> x = quarter_hours(kSquared);
  const device::Buffer d_x = lab.upload<float>("x", x);
  const device::Buffer d_out = lab.allocate("out", device::ElementType::f32, 2);
  run_to_end(
      lab, launch_of(compile_variant(lab, "squares"), "", 1, 1,
                     {pointer_argument(d_x), pointer_argument(d_out), number_argument(kSquared)}));
  const std::vector<float> out = lab.download<float>(d_out);
  double exact = 0;
  for (const double value : x) exact += value * value;
  lab.show({"squares",
            {"reduction.squares.title"},
            counted,
            lab::TextExhibit{{"reduction.squares.table",
                              {{"twice", lab::number(out[0], 9)},
                               {"once", lab::number(out[1], 9)},
                               {"exact", lab::number(exact, 9)}},
                              {}},
                             true}});
}

void orders(lab::Lab& lab, const device::Evidence& counted) {
  const std::vector<float> x = quarter_hours(kOrdered);
  const auto truth = static_cast<float>(std::accumulate(x.begin(), x.end(), 0.0));
  const Module fixed = compile_variant(lab, "fixed"), atomic = compile_variant(lab, "atomics");
  const std::int64_t blocks = blocks_for(kOrdered, kOrderedBlock);
  const device::Buffer d_x = lab.upload<float>("x", x);
  const device::Buffer d_total = lab.allocate("total", device::ElementType::f32, 1);
  const device::Buffer d_sums =
      lab.allocate("sums", device::ElementType::f32, static_cast<std::uint64_t>(blocks));
  const Summed by_atomics{
      {launch_of(atomic, "", kOrdered, kOrderedBlock,
                 {pointer_argument(d_x), pointer_argument(d_total), number_argument(kOrdered)})},
      &d_total};
  const Summed by_tree{
      {launch_of(fixed, "", kOrdered, kOrderedBlock,
                 {pointer_argument(d_x), pointer_argument(d_sums), number_argument(kOrdered)}),
       launch_of(fixed, "", kOrderedBlock, kOrderedBlock,
                 {pointer_argument(d_sums), pointer_argument(d_total), number_argument(blocks)})},
      &d_total};
  lab::SchedulesExhibit atomics = under_schedules(lab, by_atomics, truth),
                        trees = under_schedules(lab, by_tree, truth);
  lab.show({"orders", {"reduction.orders"}, counted, std::move(atomics)});
  lab.show({"fixed", {"reduction.fixed"}, counted, std::move(trees)});
}

}  // namespace warpbook::lessons::reduction
