// Convolution: one sum, several algorithms, two layouts. What changes is where its numbers wait.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/sectors/sectors_summary.hpp"
#include "lab/exhibits/sliding_window/sliding_window_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lessons/calls.hpp"
#include "lessons/common.hpp"
#include "lessons/convolution/libraries.hpp"
#include "lessons/convolution/pictures.hpp"
#include "lessons/convolution/rungs.hpp"

namespace warpbook::lessons {
namespace {

using convolution::Layer;
using convolution::Numbers;

constexpr std::int64_t kConvolutionBlock = 128;

std::uint64_t unsigned_of(std::int64_t value) { return static_cast<std::uint64_t>(value); }

const char* slot_of(const Layer& layer) {
  return layer.channels_last ? "convolve_nhwc" : "convolve";
}

struct LayerRan {
  std::shared_ptr<const device::LaunchRecord> record;
  device::Buffer x, weights, bias, y;
  std::vector<float> out;
};

/// The page's own kernel: one thread an output, a row of blocks for each filter.
LayerRan convolve(lab::Lab& lab, const std::shared_ptr<const device::Module>& module,
                  const Layer& layer, const Numbers& numbers) {
  const std::int64_t pixels = layer.side * layer.side;
  LayerRan ran;
  ran.x =
      lab.upload<float>("x", convolution::laid_out(layer, numbers.x, 1, layer.channels, pixels));
  ran.weights =
      lab.upload<float>("weights", convolution::laid_out(layer, numbers.weights, layer.filters,
                                                         layer.channels, layer.taps * layer.taps));
  ran.bias = lab.upload<float>("bias", numbers.bias);
  ran.y = lab.allocate("y", device::ElementType::f32, unsigned_of(layer.outputs()));
  device::Launch launch;
  launch.module = module;
  launch.grid = {blocks_for(layer.out * layer.out, kConvolutionBlock),
                 static_cast<std::uint32_t>(layer.filters), 1};
  launch.block = {static_cast<std::uint32_t>(kConvolutionBlock), 1, 1};
  launch.budget = convolution::budget_of(layer);
  for (const device::Buffer* buffer : {&ran.x, &ran.weights, &ran.bias, &ran.y})
    launch.arguments.push_back(pointer_argument(*buffer));
  for (const std::int64_t number : {layer.channels, layer.side, layer.filters, layer.taps,
                                    layer.out, layer.stride, layer.pad, layer.dilation})
    launch.arguments.push_back(number_argument(number));
  // A worker thread of the launch calls this: Lab::progress(), which ends a cancelled run, is not for it.
  if (const auto& progress = lab.context().progress)
    launch.progress = [&progress](double done) { progress(done, {"convolution.running"}); };
  ran.record = lab.launch(std::move(launch));
  ran.out = lab.download<float>(ran.y);
  return ran;
}

lab::TensorExhibit tensor_of(lab::Lab& lab, const device::Buffer& buffer,
                             std::vector<std::uint64_t> shape, const Layer& layer) {
  // Where the channels stand last, [n][channels][rows][columns] is kept as [n][rows][columns][channels].
  if (layer.channels_last) std::rotate(shape.end() - 3, shape.end() - 2, shape.end());
  return lab.tensor(buffer, std::move(shape));
}

/// The load of x by one warp with the most lanes: the first of a window's taps may lie in the padding.
lab::SectorsExhibit loads_of_x(const device::LaunchRecord& record) {
  lab::SectorsExhibit sectors = lab::sectors_of(record);
  std::size_t most = 0;
  for (std::uint32_t i = 0; i < sectors.requests.size(); ++i) {
    const auto& request = sectors.requests[i];
    const auto& place = sectors.places[request.place];
    if (place.kind != device::AccessKind::load || sectors.arrays[place.array].name != "x" ||
        request.lanes.size() <= most)
      continue;
    most = request.lanes.size();
    sectors.chosen = i;
  }
  return sectors;
}

void show_size(lab::Lab& lab, const Layer& layer) {
  const std::int64_t lowered = layer.channels * layer.taps * layer.taps * layer.out * layer.out;
  const auto text = [](std::int64_t value) { return std::to_string(value); };
  const auto many = [](std::int64_t value) { return lab::grouped(unsigned_of(value)); };
  lab.show(
      {"size",
       {"convolution.size.title"},
       std::nullopt,
       lab::TextExhibit{{layer.out > 0 ? "convolution.size.sentence" : "convolution.size.nothing",
                         {{"side", text(layer.side)},
                          {"pad", text(layer.pad)},
                          {"dilation", text(layer.dilation)},
                          {"K", text(layer.taps)},
                          {"stride", text(layer.stride)},
                          {"out", text(layer.out)},
                          {"channels", text(layer.channels)},
                          {"filters", text(layer.filters)},
                          {"parameters", many(layer.weights() + layer.filters)},
                          {"products", many(layer.products())},
                          {"outputs", many(layer.outputs())},
                          {"input_bytes", many(layer.inputs() * 4)},
                          {"rows", many(layer.channels * layer.taps * layer.taps)},
                          {"windows", many(layer.out * layer.out)},
                          {"lowered_bytes", many(lowered * 4)},
                          {"times", lab::number(static_cast<double>(lowered) /
                                                    static_cast<double>(layer.inputs()),
                                                3)}}}}});
}

/// Multiplications on paper; what kernels execute, the rungs count.
void show_counts(lab::Lab& lab, const Layer& layer) {
  std::int64_t side = 1,
               steps = 0;  // of the Fourier transform: a power of two that holds image and reach
  while (side < layer.side + (layer.taps - 1) * layer.dilation) {
    side *= 2;
    ++steps;
  }
  const std::int64_t maps = layer.channels + layer.filters, pairs = layer.channels * layer.filters,
                     tiles = (layer.out + 1) / 2;
  const bool winograd = layer.taps == 3 && layer.stride == 1 && layer.dilation == 1;
  const std::int64_t fourier = 2 * side * side * ((maps + pairs) * steps + pairs);
  const auto many = [](std::int64_t value) { return lab::grouped(unsigned_of(value)); };
  lab.show({"counts",
            {"convolution.counts.title"},
            std::nullopt,
            lab::TextExhibit{
                {winograd ? "convolution.counts.sentence" : "convolution.counts.no-winograd",
                 {{"direct", many(layer.products())},
                  {"winograd", winograd ? many(16 * pairs * tiles * tiles) : ""},
                  {"tiles", many(tiles * tiles)},
                  {"side", many(side)},
                  {"fourier", many(fourier)}}}}});
}

/// The page's own launch, and what the host asked for until its output was there.
struct Closely {
  std::shared_ptr<const device::LaunchRecord> record;
  lab::Message calls;
};

/// The kernel that the reader sees and edits.
Closely look_closely(lab::Lab& lab, const Layer& layer, const Numbers& numbers,
                     const std::vector<float>& truth, const device::Evidence& counted) {
  const auto module = lab.compile(slot_of(layer));
  const LayerRan ran = convolve(lab, module, layer, numbers);
  lab::Message calls = host_calls(lab.device());
  const std::vector<float> expected =
      convolution::laid_out(layer, truth, 1, layer.filters, layer.out * layer.out);
  const auto extent = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  const std::uint64_t channels = extent(layer.channels), filters = extent(layer.filters),
                      side = extent(layer.side), out = extent(layer.out), taps = extent(layer.taps);
  const lab::TensorExhibit x = tensor_of(lab, ran.x, {channels, side, side}, layer),
                           weights =
                               tensor_of(lab, ran.weights, {filters, channels, taps, taps}, layer);
  lab::TensorExhibit y = tensor_of(lab, ran.y, {filters, out, out}, layer);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (ran.out[i] != expected[i]) y.wrong.push_back(i);
  }
  const std::int64_t wanted = std::min(lab.integer("output"), layer.out * layer.out - 1);
  lab.show({"window",
            {"convolution.window"},
            counted,
            lab::sliding_window_of(
                *ran.record,
                {x, weights, y, layer.channels_last, static_cast<std::uint32_t>(layer.stride),
                 static_cast<std::uint32_t>(layer.pad), static_cast<std::uint32_t>(layer.dilation),
                 unsigned_of(layer.channels_last ? wanted * layer.filters : wanted)})});
  lab.show({"check",
            {"convolution.check.title"},
            counted,
            check_of("convolution.check.", *ran.record, ran.out, expected)});
  lab.show({"y", {"convolution.y"}, counted, std::move(y)});
  lab.show({"geometry", {"convolution.geometry"}, counted, lab::geometry_of(*ran.record)});
  lab.show({"map", {"convolution.map"}, counted, loads_of_x(*ran.record)});
  lab.show({"time", {"run.time.title"}, std::nullopt, times_of(lab, *ran.record)});
  return {ran.record, std::move(calls)};
}

/// Where the picture comes from, and what became of it on the way.
void show_origin(lab::Lab& lab, const std::optional<lab::Picture>& own,
                 const convolution::Square& square) {
  lab::Message says{"convolution.picture.built-in", {{"side", std::to_string(square.side)}}};
  if (own) {
    says.key = own->step > 1 ? "convolution.picture.scaled" : "convolution.picture.own";
    says.arguments.insert(says.arguments.end(), {{"width", lab::grouped(own->full_width)},
                                                 {"height", lab::grouped(own->full_height)},
                                                 {"step", lab::grouped(own->step)}});
  }
  lab.show({"picture",
            {"convolution.picture.title"},
            std::nullopt,
            lab::TextExhibit{std::move(says), false}});
}

/// The reader's picture, scaled so that its shorter side fits: the middle square is what is taken of it.
std::optional<lab::Picture> own_picture_of(lab::Lab& lab) {
  constexpr auto kGrey = lab::PictureColours::grey;
  auto own = lab.picture("image", kGrey, convolution::kMostPictureSide);
  if (!own) return own;
  const auto [shorter, longer] = std::minmax(own->full_width, own->full_height);
  return shorter == longer
             ? own
             : lab.picture("image", kGrey, convolution::kMostPictureSide * longer / shorter);
}

/// The same kernel on a picture, with nine weights that somebody chose.
void show_picture(lab::Lab& lab, const std::shared_ptr<const device::Module>& module,
                  const Layer& page, const device::Evidence& counted) {
  const auto own = own_picture_of(lab);
  const convolution::Square square = own ? convolution::middle_of(*own) : convolution::picture();
  show_origin(lab, own, square);
  Layer layer;
  layer.side = square.side;
  layer.taps = 3;
  layer.pad = 1;
  layer.channels_last = page.channels_last;
  layer.out = convolution::out_side(layer);
  Numbers numbers;
  numbers.x = square.pixels;
  numbers.weights = convolution::classic_weights(lab.choice("classic"));
  numbers.bias = {0};
  const LayerRan ran = convolve(lab, module, layer, numbers);
  const auto side = unsigned_of(layer.side), out = unsigned_of(layer.out);
  lab::TensorExhibit before = lab.tensor(ran.x, {side, side}),
                     after = lab.tensor(ran.y, {out, out});
  before.name = "picture";
  before.view = after.view = lab::TensorExhibit::View::image;
  after.name = lab.choice("classic");
  const std::vector<float> truth = convolution::forward(layer, numbers);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (ran.out[i] != truth[i]) after.wrong.push_back(i);
  }
  lab.show({"before", {"convolution.picture.before"}, counted, std::move(before)});
  lab.show({"after", {"convolution.picture.after"}, counted, std::move(after)});
}

/// The chapter's runs. They read like the host side of a CUDA program.
void convolution_experiment(lab::Lab& lab) {
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  const Layer layer = convolution::layer_of(lab);
  show_size(lab, layer);
  if (layer.out == 0) return;
  show_counts(lab, layer);
  const Numbers numbers = convolution::numbers_of(layer);
  const std::vector<float> truth = convolution::forward(layer, numbers);
  Closely own = look_closely(lab, layer, numbers, truth, counted);
  // A module of its own, so that the source beside the text shows the costs of the first launch alone.
  const auto module =
      lab.compile_source(std::string(slot_of(layer)) + ".cu", lab.source(slot_of(layer)));
  show_picture(lab, module, layer, counted);
  lab::AlgorithmsExhibit::Group kernels =
      convolution::show_rungs(lab, layer, numbers, truth, own.record, counted);
  convolution::show_libraries(lab, layer, numbers, truth, std::move(kernels));
  show_calls(lab, std::move(own.calls), counted);
  if (layer.products() > convolution::kMostSideProducts) return;
  convolution::show_gradients(
      lab, layer, numbers, counted, [&](const Layer& other, const Numbers& its) {
        const std::vector<float> out = convolve(lab, module, other, its).out;
        return convolution::channels_first(other, out, 1, other.filters, other.out * other.out);
      });
}

// Figures and answers are read off the report, never computed from the parameters.

const lab::SlidingWindowExhibit* window_in(const lab::Report& report) {
  const auto* window = report.find_as<lab::SlidingWindowExhibit>("window");
  return window && window->chosen < window->outputs.size() ? window : nullptr;
}

std::string sliding_window_figure(const lab::Report& report, std::string_view what) {
  const lab::SlidingWindowExhibit* window = window_in(report);
  const auto sizes = window ? lab::sizes_of(*window) : std::nullopt;
  if (!sizes) return {};
  const lab::SlidingWindowExhibit::Output& output = window->outputs[window->chosen];
  const lab::SlidingWindowRead read = lab::read_of(*window, *sizes, output);
  if (what == "value") return lab::number(output.value, 6);
  if (what == "pairing") return std::string(lab::name_of(read.pairing));
  if (what == "padding") return std::to_string(read.padding);
  return std::to_string(output.inputs.size());
}

std::string size_figure(const lab::Report& report, std::string_view name) {
  return text_argument(report, "size", name);
}

std::string outputs_written(const lab::Report& report) {
  const auto* y = report.find_as<lab::TensorExhibit>("y");
  return y ? fmt::format("{}", fmt::join(y->shape, " × ")) : "";
}

std::string convolution_right(const lab::Report& report) {
  const auto* y = report.find_as<lab::TensorExhibit>("y");
  return y ? lab::grouped(lab::count(*y) - y->wrong.size()) : "";
}

std::string x_sectors(const lab::Report& report) {
  const auto* map = report.find_as<lab::SectorsExhibit>("map");
  if (!map || map->chosen >= map->requests.size()) return {};
  return std::to_string(lab::touched_by(*map, map->requests[map->chosen]).sectors.size());
}

/// "direct_sectors", "winograd_multiplications": what the kernel of that algorithm did.
std::optional<std::uint64_t> of_algorithm(const lab::Report& report, std::string_view figure) {
  const std::string digits = text_argument(report, "rungs", figure);
  if (digits.empty()) return {};
  return std::stoull(digits);
}

/// Whether Winograd's kernel multiplied more or less often than the direct one.
std::string winograd_against_direct(const lab::Report& report) {
  const auto direct = of_algorithm(report, "direct_multiplications"),
             winograd = of_algorithm(report, "winograd_multiplications");
  if (!direct || !winograd) return {};
  return *winograd > *direct ? "more" : "fewer";
}

/// Which filter gave the gradient of the input: as it stands, or turned round.
std::string gradient_filter(const lab::Report& report) {
  const std::string elements = text_argument(report, "gradients", "elements");
  if (elements.empty()) return {};
  if (text_argument(report, "gradients", "equal") == elements) return "turned";
  return text_argument(report, "gradients", "straight") == elements ? "straight" : "neither";
}

std::string pixel_after(const lab::Report& report, std::uint64_t row, std::uint64_t column) {
  const auto* after = report.find_as<lab::TensorExhibit>("after");
  if (!after || after->shape.size() != 2) return {};
  return lab::number(lab::element(*after, row * after->shape[1] + column), 6);
}

lab::Parameter toggle(const std::string& words, const std::string& name) {
  lab::Parameter made{name, {words + name}, {}};
  made.type = lab::Parameter::Type::toggle;
  made.initial = false;
  return made;
}

lab::Parameter own_picture(const std::string& words, const std::string& name) {
  lab::Parameter made{name, {words + name}, {}};
  made.type = lab::Parameter::Type::picture;
  made.initial = std::string();
  return made;
}

lab::LiveFigure said(const std::string& figure, const std::string& exhibit,
                     const std::string& argument) {
  return {figure,
          [=](const lab::Report& report) { return text_argument(report, exhibit, argument); }};
}

/// Of the book's own kernels, the first group of the exhibit.
lab::LiveFigure workspace_of(const std::string& figure, const std::string& algorithm) {
  return {figure, [=](const lab::Report& report) -> std::string {
            const auto* shown = report.find_as<lab::AlgorithmsExhibit>("algorithms");
            if (!shown || shown->groups.empty()) return {};
            const auto& rows = shown->groups.front().rows;
            const auto found =
                std::ranges::find(rows, algorithm, &lab::AlgorithmsExhibit::Row::name);
            return found == rows.end() ? "" : lab::grouped(found->workspace);
          }};
}

lab::LiveFigure counted_of(const std::string& figure, const std::string& counted) {
  return {figure, [=](const lab::Report& report) {
            const auto found = of_algorithm(report, counted);
            return found ? lab::grouped(*found) : "";
          }};
}

}  // namespace

lab::Lesson convolution_chapter() {
  lab::Lesson lesson;
  lesson.slug = "convolution";
  const std::string words = "convolution.parameter.", presets = "convolution.preset.";
  using Int = std::int64_t;
  lesson.parameters = {whole_number(words, "K", "convolution.unit.taps", 3, 1, 7),
                       whole_number(words, "stride", "", 1, 1, 4),
                       whole_number(words, "pad", "", 1, 0, 4),
                       whole_number(words, "dilation", "", 1, 1, 3),
                       choice(words, "layout", {"nchw", "nhwc"}),
                       choice(words, "algorithm", convolution::algorithms()),
                       whole_number(words, "side", "convolution.unit.pixels", 12, 1, 256),
                       whole_number(words, "channels", "", 3, 1, 64),
                       whole_number(words, "filters", "", 8, 1, 64),
                       whole_number(words, "output", "", 27, 0, 65535),
                       choice(words, "classic", convolution::classic_filters()),
                       own_picture(words, "image"),
                       toggle(words, "libraries"),
                       choice(words, "precision", {"fp32", "tf32", "fp16", "bf16"})};
  lesson.presets = {
      preset(presets, "small", {}),
      preset(
          presets, "conv2d-64",
          {{"side", Int{224}}, {"channels", Int{3}}, {"filters", Int{64}}, {"output", Int{451}}}),
      preset(presets, "half", {{"stride", Int{2}}}),
      preset(presets, "many-channels",
             {{"channels", Int{16}}, {"filters", Int{32}}, {"side", Int{28}}})};
  const auto slot = [](const std::string& name) {
    return lab::SourceSlot{name, "lessons/convolution/variants/" + name + ".cu", {}};
  };
  lesson.slots = {slot("convolve"), slot("convolve_nhwc")};
  lesson.experiment = convolution_experiment;
  lesson.figures = {
      said("out", "size", "out"),
      said("parameters", "size", "parameters"),
      said("products", "size", "products"),
      said("input-bytes", "size", "input_bytes"),
      said("lowered-bytes", "size", "lowered_bytes"),
      said("lowered-times", "size", "times"),
      said("rows", "size", "rows"),
      said("windows", "size", "windows"),
      {"shape", outputs_written},
      {"right", convolution_right},
      {"read", [](const lab::Report& r) { return sliding_window_figure(r, "read"); }},
      {"padding", [](const lab::Report& r) { return sliding_window_figure(r, "padding"); }},
      {"value", [](const lab::Report& r) { return sliding_window_figure(r, "value"); }},
      {"x-sectors", x_sectors},
      said("paper-direct", "counts", "direct"),
      said("paper-winograd", "counts", "winograd"),
      said("paper-fourier", "counts", "fourier"),
      said("fourier-side", "counts", "side"),
      counted_of("direct-sectors", "direct_sectors"),
      counted_of("tiled-sectors", "tiled_halo_sectors"),
      counted_of("constant-sectors", "constant_filter_sectors"),
      counted_of("im2col-sectors", "im2col_gemm_sectors"),
      counted_of("implicit-sectors", "implicit_gemm_sectors"),
      counted_of("direct-multiplications", "direct_multiplications"),
      counted_of("winograd-multiplications", "winograd_multiplications"),
      workspace_of("im2col-workspace", "im2col_gemm"),
      workspace_of("winograd-workspace", "winograd"),
      said("gradient-equal", "gradients", "equal"),
      said("gradient-straight", "gradients", "straight"),
      said("gradient-elements", "gradients", "elements"),
      {"flat", [](const lab::Report& r) { return pixel_after(r, 3, 12); }},
      {"corner", [](const lab::Report& r) { return pixel_after(r, 0, 0); }}};
  std::ranges::move(call_figures(), std::back_inserter(lesson.figures));
  lesson.answers = {
      {"out", [](const lab::Report& r) { return size_figure(r, "out"); }},
      {"parameters", [](const lab::Report& r) { return size_figure(r, "parameters"); }},
      {"times", [](const lab::Report& r) { return size_figure(r, "times"); }},
      {"read", [](const lab::Report& r) { return sliding_window_figure(r, "read"); }},
      {"pairing", [](const lab::Report& r) { return sliding_window_figure(r, "pairing"); }},
      {"x-sectors", x_sectors},
      {"winograd", winograd_against_direct},
      {"gradient", gradient_filter},
      {"workspace", [](const lab::Report& r) { return text_argument(r, "rung", "workspace"); }},
      {"corner", [](const lab::Report& r) { return pixel_after(r, 0, 0); }},
      {"flat", [](const lab::Report& r) { return pixel_after(r, 3, 12); }}};
  lesson.exercises = {"halo-tile", "im2col-gemm", "read-the-engine-list"};
  return lesson;
}

}  // namespace warpbook::lessons
