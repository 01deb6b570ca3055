// Convolution, fast: one sum by six kernels of this book and by libraries, and the two gradients.
#include <algorithm>
#include <any>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "lab/experiment/lesson.hpp"
#include "lab/experiment/remembered_part.hpp"
#include "lab/ladder/recorded_times.hpp"
#include "lessons/calls.hpp"
#include "lessons/common.hpp"
#include "lessons/convolution-algorithms/libraries.hpp"
#include "lessons/convolution-algorithms/rungs.hpp"
#include "lessons/convolution/convolve.hpp"

namespace warpbook::lessons {
namespace {

using convolution::Layer;
using convolution::Numbers;

std::string grouped_count(std::int64_t value) {
  return lab::grouped(static_cast<std::uint64_t>(value));
}

void show_layer(lab::Lab& lab, const Layer& layer) {
  const auto text = [](std::int64_t value) { return std::to_string(value); };
  lab.show({"layer",
            {"convolution-algorithms.layer.title"},
            std::nullopt,
            lab::TextExhibit{{layer.out > 0 ? "convolution-algorithms.layer.sentence"
                                            : "convolution-algorithms.layer.nothing",
                              {{"channels", text(layer.channels)},
                               {"side", text(layer.side)},
                               {"filters", text(layer.filters)},
                               {"K", text(layer.taps)},
                               {"out", text(layer.out)},
                               {"input_bytes", grouped_count(layer.inputs() * 4)},
                               {"weight_bytes", grouped_count(layer.weights() * 4)},
                               {"output_bytes", grouped_count(layer.outputs() * 4)},
                               {"products", grouped_count(layer.products())}}}}});
}

/// Multiplications by formula; what kernels execute, show_rungs() counts. What is done to the weights alone is done once,
/// before any image comes, and not counted.
void show_counts(lab::Lab& lab, const Layer& layer) {
  const std::int64_t pairs = layer.channels * layer.filters, tiles = (layer.out + 1) / 2;
  const bool winograd = layer.taps == 3 && layer.stride == 1 && layer.dilation == 1;
  lab.show(
      {"counts",
       {"convolution-algorithms.counts.title"},
       std::nullopt,
       lab::TextExhibit{{winograd ? "convolution-algorithms.counts.sentence"
                                  : "convolution-algorithms.counts.no-winograd",
                         {{"direct", grouped_count(layer.products())},
                          {"winograd", winograd ? grouped_count(16 * pairs * tiles * tiles) : ""},
                          {"tiles", grouped_count(tiles * tiles)},
                          {"pairs", grouped_count(pairs)}}}}});
}

/// The kernel that stands beside the page, which the reader may edit: the algorithm that the tables call `direct`.
void show_page_kernel(lab::Lab& lab, const Layer& layer, const Numbers& numbers,
                      const std::vector<float>& truth, const device::Evidence& counted) {
  const auto module = lab.compile(convolution::slot_of(layer));
  const convolution::LayerRan ran = convolution::convolve(lab, module, layer, numbers);
  lab.show(
      {"check",
       {"convolution.check.title"},
       counted,
       check_of("convolution.check.", *ran.record, ran.out,
                convolution::laid_out(layer, truth, 1, layer.filters, layer.out * layer.out))});
}

/// The chapter's runs. They read like the host side of a CUDA program.
void convolution_algorithms_experiment(lab::Lab& lab) {
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  const Layer layer = convolution::layer_of(lab);
  show_layer(lab, layer);
  if (layer.out == 0) return;
  show_counts(lab, layer);
  if (lab.leaves_out()) {
    const Numbers numbers = convolution::numbers_of(layer);
    convolution_algorithms::show_libraries(lab, layer, numbers, {},
                                           convolution_algorithms::times_of(lab, layer, numbers));
    return;
  }
  const Numbers numbers = convolution::numbers_of(layer);
  const std::vector<float> truth = convolution::forward(layer, numbers);
  const bool all = layer.products() <= convolution::kMostSideProducts;
  convolution_algorithms::compile_soon(lab, layer);
  const std::vector<std::string_view> unread{"libraries", "precision"},
      unread_by_one{"algorithm", "libraries", "precision"};
  std::any rungs;
  lab.side_by_side({lab::remembered({.name = "convolution-algorithms/page-kernel",
                                     .unread = unread_by_one,
                                     .run =
                                         [&](lab::Lab& part) {
                                           if (all)
                                             show_page_kernel(part, layer, numbers, truth, counted);
                                         }}),
                    lab::remembered({.name = "convolution-algorithms/rungs",
                                     .unread = unread,
                                     .run =
                                         [&](lab::Lab& part) {
                                           rungs = convolution_algorithms::show_rungs(
                                               part, layer, numbers, truth, counted);
                                         },
                                     .gives = &rungs})});
  const auto& ran = std::any_cast<const convolution_algorithms::RungsRan&>(rungs);
  lab.side_by_side(
      {lab::remembered({.name = "convolution-algorithms/others",
                        .unread = unread,
                        .run =
                            [&](lab::Lab& part) {
                              if (all)
                                convolution_algorithms::show_others(part, layer, ran, counted);
                            }}),
       [&](lab::Lab& part) {
         convolution_algorithms::show_libraries(part, layer, numbers, truth, ran.group);
       },
       lab::remembered({.name = "convolution-algorithms/gradients",
                        .unread = unread_by_one,
                        .run =
                            [&](lab::Lab& part) {
                              if (all)
                                convolution_algorithms::show_gradients(part, layer, numbers,
                                                                       counted);
                            }}),
       lab::recorded_times("convolution")});
}

// Figures and answers are read off the report, never computed from the parameters.

std::optional<double> number_in(const lab::Report& report, std::string_view exhibit,
                                std::string_view argument) {
  std::string digits = text_argument(report, exhibit, argument);
  std::erase(digits, ',');
  double value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || read.ec != std::errc()) return {};
  return value;
}
std::optional<double> counted_in(const lab::Report& report, const std::string& figure) {
  return number_in(report, "rungs", figure);
}

std::string whole(std::optional<double> a, std::optional<double> b) {
  if (!a || !b || *b == 0) return {};
  return std::to_string(std::llround(*a / *b));
}

/// Multiply-adds for each float that an algorithm loads from global memory.
std::optional<double> reuse_of(const lab::Report& report, const std::string& algorithm) {
  const auto multiplied = counted_in(report, algorithm + "_multiplications"),
             loaded = counted_in(report, algorithm + "_loaded");
  if (!multiplied || !loaded || *loaded == 0) return {};
  return *multiplied / *loaded;
}
/// The choice that the tile's run comes nearest to: beside the steps of its product it loads biases, and zeros are not loaded.
std::string nearest_reuse(const lab::Report& report) {
  const auto of = reuse_of(report, "implicit_gemm");
  if (!of) return {};
  constexpr const char* kNearest[] = {"0.5", "8", "43", "8,192"};
  constexpr double kValues[] = {0.5, 8, 43, 8192};
  std::size_t best = 0;
  const auto distance = [&](std::size_t i) { return std::abs(std::log(kValues[i] / *of)); };
  for (std::size_t i = 1; i < std::size(kValues); ++i) {
    if (distance(i) < distance(best)) best = i;
  }
  return kNearest[best];
}

/// Instructions that a warp runs for 32 of the layer's multiply-adds.
std::string instructions_of(const lab::Report& report, const std::string& algorithm) {
  const auto all = counted_in(report, algorithm + "_instructions"),
             products = number_in(report, "layer", "products");
  return all && products ? lab::number(32 * *all / *products, 2) : "";
}

/// Floats that a lane loads from shared memory for the 32 multiply-adds of one depth.
std::string shared_floats(const lab::Report& report) {
  const auto loaded = counted_in(report, "im2col_gemm_shared"),
             multiplied = counted_in(report, "im2col_gemm_multiplications");
  if (!loaded || !multiplied) return {};
  return whole(32 * *loaded, multiplied);
}

std::string workspace_of(const lab::Report& report, const std::string& algorithm) {
  const auto bytes = counted_in(report, algorithm + "_workspace");
  return bytes ? lab::grouped(static_cast<std::uint64_t>(*bytes)) : "";
}

/// How many times as large as the image im2col's matrix is.
std::string matrix_times(const lab::Report& report) {
  return whole(counted_in(report, "im2col_gemm_workspace"),
               number_in(report, "layer", "input_bytes"));
}

/// Values of im2col's matrix.
std::string matrix_values(const lab::Report& report) {
  const auto bytes = counted_in(report, "im2col_gemm_workspace");
  return bytes ? lab::grouped(static_cast<std::uint64_t>(*bytes) / sizeof(float)) : "";
}

/// How many times fewer multiplications Winograd's formula has than the definition.
std::string winograd_saves(const lab::Report& report) {
  const auto direct = number_in(report, "counts", "direct"),
             winograd = number_in(report, "counts", "winograd");
  return direct && winograd ? lab::number(*direct / *winograd, 3) : "";
}

/// "channel/row/column" of the pixel that the exhibit "lookup" found.
std::string pixel_found(const lab::Report& report) {
  const auto part = [&](const char* name) { return text_argument(report, "lookup", name); };
  if (part("channel").empty()) return {};
  return part("channel") + "/" + part("row") + "/" + part("column");
}

/// How many times as long implicit_gemm takes on the largest image of the exhibit "sizes" as on the layer's own.
std::string size_times(const lab::Report& report) {
  return whole(number_in(report, "sizes", "implicit_gemm_8"),
               number_in(report, "sizes", "implicit_gemm_1"));
}

/// The estimated time of one of the book's kernels.
std::string time_of(const lab::Report& report, const std::string& algorithm) {
  const auto* all = report.find_as<lab::AlgorithmsExhibit>("algorithms");
  if (!all || all->groups.empty()) return {};
  const auto& rows = all->groups.front().rows;
  const auto found = std::ranges::find(rows, algorithm, &lab::AlgorithmsExhibit::Row::name);
  return found != rows.end() && found->time ? lab::duration(found->time->seconds) : "";
}

/// Bytes of an image, its filters and its outputs together: what a library rewrites that wants another layout.
std::string bytes_rewritten(const lab::Report& report) {
  double all = 0;
  for (const char* part : {"input_bytes", "weight_bytes", "output_bytes"}) {
    const auto bytes = number_in(report, "layer", part);
    if (!bytes) return {};
    all += *bytes;
  }
  return lab::grouped(static_cast<std::uint64_t>(all));
}

/// Which filter gave the gradient of the input: as it is, or turned round.
std::string gradient_filter(const lab::Report& report) {
  const std::string elements = text_argument(report, "gradients", "elements");
  if (elements.empty()) return {};
  if (text_argument(report, "gradients", "equal") == elements) return "turned";
  return text_argument(report, "gradients", "straight") == elements ? "straight" : "neither";
}

lab::Parameter ask_libraries(const std::string& words, const std::string& name) {
  lab::Parameter made{name, {words + name}, {}};
  made.type = lab::Parameter::Type::toggle;
  made.initial = false;
  return made;
}

lab::LiveFigure argument_of(const std::string& figure, const std::string& exhibit,
                            const std::string& argument) {
  return {figure,
          [=](const lab::Report& report) { return text_argument(report, exhibit, argument); }};
}

lab::LiveFigure counted_of(const std::string& figure, const std::string& counted) {
  return {figure, [=](const lab::Report& report) -> std::string {
            const auto found = counted_in(report, counted);
            return found ? lab::grouped(static_cast<std::uint64_t>(*found)) : "";
          }};
}

}  // namespace

lab::Lesson convolution_algorithms_chapter() {
  lab::Lesson lesson;
  lesson.slug = "convolution-algorithms";
  const std::string words = "convolution-algorithms.parameter.",
                    presets = "convolution-algorithms.preset.";
  using Int = std::int64_t;
  lesson.parameters = {choice(words, "algorithm", convolution_algorithms::algorithms()),
                       whole_number(words, "side", "convolution.unit.pixels", 16, 1, 256),
                       whole_number(words, "channels", "", 8, 1, 64),
                       whole_number(words, "filters", "", 64, 1, 64),
                       whole_number(words, "K", "convolution.unit.taps", 3, 1, 7),
                       whole_number(words, "stride", "", 1, 1, 4),
                       whole_number(words, "pad", "", 1, 0, 4),
                       whole_number(words, "dilation", "", 1, 1, 3),
                       choice(words, "layout", {"nchw", "nhwc"}),
                       ask_libraries(words, "libraries"),
                       choice(words, "precision", {"fp32", "tf32", "fp16", "bf16"})};
  lesson.presets = {preset(presets, "small", {}), preset(presets, "half", {{"stride", Int{2}}}),
                    preset(presets, "conv2d-64", {{"side", Int{224}}, {"channels", Int{3}}})};
  lesson.slots = convolution::convolve_slots();
  lesson.experiment = convolution_algorithms_experiment;
  lesson.figures = {
      argument_of("products", "layer", "products"),
      counted_of("direct-multiplications", "direct_multiplications"),
      counted_of("winograd-multiplications", "winograd_multiplications"),
      {"direct-instructions", [](const lab::Report& r) { return instructions_of(r, "direct"); }},
      {"implicit-instructions",
       [](const lab::Report& r) { return instructions_of(r, "implicit_gemm"); }},
      {"constant-saves",
       [](const lab::Report& r) {
         return whole(counted_in(r, "direct_loaded"), counted_in(r, "constant_filter_loaded"));
       }},
      {"winograd-time", [](const lab::Report& r) { return time_of(r, "winograd"); }},
      argument_of("implicit-small", "sizes", "implicit_gemm_1"),
      argument_of("implicit-large", "sizes", "implicit_gemm_8"),
      argument_of("apart", "sizes", "apart"),
      argument_of("nhwc-time", "layouts", "time_nhwc_4"),
      argument_of("nhwc-l1", "layouts", "l1_nhwc_4"),
      {"im2col-workspace", [](const lab::Report& r) { return workspace_of(r, "im2col_gemm"); }},
      {"winograd-workspace", [](const lab::Report& r) { return workspace_of(r, "winograd"); }},
      {"matrix-times", matrix_times},
      argument_of("gradient-equal", "gradients", "equal"),
      argument_of("gradient-straight", "gradients", "straight"),
      argument_of("gradient-elements", "gradients", "elements"),
      argument_of("gradient-data", "gradients", "data"),
      argument_of("gradient-filter", "gradients", "filter")};
  lesson.answers = {
      {"reuse", nearest_reuse},
      {"shared-floats", shared_floats},
      {"pixel", pixel_found},
      {"blocks",
       [](const lab::Report& r) { return text_argument(r, "rungs", "implicit_gemm_blocks"); }},
      {"size-times", size_times},
      {"winograd-saves", winograd_saves},
      {"executed-times",
       [](const lab::Report& r) {
         return whole(counted_in(r, "winograd_multiplications"),
                      number_in(r, "counts", "winograd"));
       }},
      {"rewritten", bytes_rewritten},
      {"gradient", gradient_filter},
      {"matrix-values", matrix_values}};
  lesson.exercises = {"im2col-gemm", "read-the-engine-list"};
  return lesson;
}

}  // namespace warpbook::lessons
