// Convolution: one sum over a window, with padding, stride, dilation and two layouts, and a picture to try filters on.
#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/sectors/sectors_summary.hpp"
#include "lab/exhibits/sliding_window/sliding_window_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/text/source_text.hpp"
#include "lessons/calls.hpp"
#include "lessons/common.hpp"
#include "lessons/convolution/convolve.hpp"
#include "lessons/convolution/pictures.hpp"

namespace warpbook::lessons {
namespace {

using convolution::Layer;
using convolution::LayerRan;
using convolution::Numbers;

std::uint64_t unsigned_of(std::int64_t value) { return static_cast<std::uint64_t>(value); }

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

/// The kernel that the reader sees and edits. Gives back what the host asked for until its output was there.
lab::Message look_closely(lab::Lab& lab, const Layer& layer, const Numbers& numbers,
                          const std::vector<float>& truth, const device::Evidence& counted) {
  const auto module = lab.compile(convolution::slot_of(layer));
  const LayerRan ran = convolution::convolve(lab, module, layer, numbers);
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
  return calls;
}

constexpr const char* kPhotographed = "photograph";

/// Where the picture comes from, and what became of it on the way.
void show_origin(lab::Lab& lab, const std::optional<lab::Picture>& own,
                 const convolution::Square& square) {
  const bool photograph = lab.choice("motif") == kPhotographed;
  lab::Message says{photograph ? "convolution.picture.photograph" : "convolution.picture.built-in",
                    {{"side", std::to_string(square.side)}}};
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

/// What the book itself brings along: a photograph, or shapes that can be followed pixel by pixel.
convolution::Square built_in_picture(lab::Lab& lab) {
  if (lab.choice("motif") != kPhotographed) return convolution::shapes();
  const std::filesystem::path root = lab.context().root;
  return convolution::middle_of(lab::require(lab::read_picture(
      root / convolution::kPhotograph, lab::PictureColours::grey, convolution::kMostPictureSide)));
}

/// The same kernel on a picture, with nine weights that somebody chose.
void show_picture(lab::Lab& lab, const std::shared_ptr<const device::Module>& module,
                  const Layer& page, const device::Evidence& counted) {
  const auto own = own_picture_of(lab);
  const convolution::Square square = own ? convolution::middle_of(*own) : built_in_picture(lab);
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
  const LayerRan ran = convolution::convolve(lab, module, layer, numbers);
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

/// What one kernel of the comparison of layouts did.
struct Side {
  std::uint64_t instructions = 0, sectors = 0;  ///< of warps; for its loads of x, at L1
  device::Estimate estimate;
  std::uint64_t right = 0;  ///< outputs

  [[nodiscard]] std::vector<lab::BarsExhibit::Bar> bars(const std::string& kernel) const {
    const lab::Message name{"convolution.layouts." + kernel};
    return {count_bar(name, sectors), count_bar(name, instructions),
            estimate_bar(name, estimate.seconds, estimate.low, estimate.high)};
  }
};

std::uint64_t sectors_of_x(const device::LaunchRecord& record) {
  const lab::SectorsExhibit sectors = lab::sectors_of(record);
  std::uint64_t sum = 0;
  for (const auto& place : sectors.places) {
    if (place.kind == device::AccessKind::load && sectors.arrays[place.array].name == "x")
      sum += place.sectors;
  }
  return sum;
}

double bound_of(const device::Estimate& estimate, std::string_view part) {
  const auto bound = std::ranges::find(estimate.bounds, part, &device::EstimateBound::name);
  return bound == estimate.bounds.end() ? 0 : bound->seconds;
}

/// A layer of several channels under three kernels: the page's, the same with its loops in the other order, and that order
/// again with the channels last. So one step changes the loops alone, the other the layout alone. There are as many filters as
/// give every multiprocessor enough warps: with few of them, waiting would hide what the layout costs in L1.
constexpr std::array kLayoutKernels{"convolve", "channels_inside", "convolve_nhwc"};

struct SeveralChannels {
  Layer layer;
  Numbers numbers;
  std::vector<float> truth;
};

/// The same in every run.
const SeveralChannels& several_channels() {
  static const SeveralChannels made = [] {
    SeveralChannels several;
    Layer& layer = several.layer;
    layer.channels = 16;
    layer.side = 32;
    layer.filters = 64;
    layer.taps = 3;
    layer.pad = 1;
    layer.out = convolution::out_side(layer);
    several.numbers = convolution::numbers_of(layer);
    several.truth = convolution::forward(layer, several.numbers);
    return several;
  }();
  return made;
}

device::CompileRequest request_of_variant(lab::Lab& lab, const std::string& name) {
  const std::string file = name + ".cu";
  return lab.request_of(file, lab::require(lab::read_source_file(
                                  lab.context().root, "lessons/convolution/variants/" + file)));
}

/// Nothing where nothing counts.
std::optional<Side> side_of(lab::Lab& lab, const std::string& kernel) {
  const SeveralChannels& several = several_channels();
  Layer layer = several.layer;
  layer.channels_last = kernel == "convolve_nhwc";
  const auto module = lab::require(lab.device().load(lab.program(request_of_variant(lab, kernel))));
  // These kernels are the book's, and its tests check them for everything.
  const LayerRan ran =
      convolution::convolve(lab, module, layer, several.numbers, lab::Checking::accesses);
  if (!ran.record->counted || !ran.record->estimate) return {};
  const std::vector<float> expected =
      convolution::laid_out(layer, several.truth, 1, layer.filters, layer.out * layer.out);
  Side side{ran.record->total.warp_instructions, sectors_of_x(*ran.record), *ran.record->estimate};
  for (std::size_t i = 0; i < expected.size(); ++i) side.right += ran.out[i] == expected[i] ? 1 : 0;
  return side;
}

void show_layouts(lab::Lab& lab) {
  std::array<std::optional<Side>, kLayoutKernels.size()> sides;
  std::vector<lab::Lab::Part> parts;
  for (std::size_t i = 0; i < sides.size(); ++i)
    parts.emplace_back([&, i](lab::Lab& part) { sides[i] = side_of(part, kLayoutKernels[i]); });
  lab.side_by_side(parts);
  if (!std::ranges::all_of(sides, [](const auto& side) { return side.has_value(); })) return;
  const Side &convolve = *sides[0], &inside = *sides[1], &nhwc = *sides[2];
  const auto& [layer, numbers, truth] = several_channels();
  const std::uint64_t right = std::min({convolve.right, inside.right, nhwc.right});
  const auto ratio = [](double part, double whole) { return lab::number(part / whole, 3); };
  show_side_by_side(
      lab, "convolution.", "layouts", nhwc.estimate.time, {"sectors", "instructions", "time"},
      {convolve.bars("convolve"), inside.bars("inside"), nhwc.bars("nhwc")},
      {{"channels", std::to_string(layer.channels)},
       {"side", std::to_string(layer.side)},
       {"filters", std::to_string(layer.filters)},
       {"right", lab::grouped(right)},
       {"outputs", lab::grouped(truth.size())},
       {"sectors_times",
        ratio(static_cast<double>(nhwc.sectors), static_cast<double>(inside.sectors))},
       {"time_times", ratio(nhwc.estimate.seconds, inside.estimate.seconds)},
       {"loops_times", ratio(convolve.estimate.seconds, inside.estimate.seconds)},
       {"longest_convolve", convolve.estimate.limiter},
       {"longest_inside", inside.estimate.limiter},
       {"longest_nhwc", nhwc.estimate.limiter},
       {"issue", lab::number(bound_of(convolve.estimate, "issue") * 1e6, 2)},
       {"l1", lab::number(bound_of(nhwc.estimate, "l1") * 1e6, 3)}});
}

/// The chapter's runs. They read like the host side of a CUDA program.
void convolution_experiment(lab::Lab& lab) {
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  const Layer layer = convolution::layer_of(lab);
  show_size(lab, layer);
  if (layer.out == 0) return;
  for (const std::string kernel : kLayoutKernels) lab.compile_soon(request_of_variant(lab, kernel));
  lab::Message calls;
  lab.side_by_side({[&](lab::Lab& part) {
                      const Numbers numbers = convolution::numbers_of(layer);
                      calls = look_closely(part, layer, numbers,
                                           convolution::forward(layer, numbers), counted);
                    },
                    [&](lab::Lab& part) {
                      // A module of its own, so that the source beside the text shows the costs of the first launch alone.
                      const std::string slot = convolution::slot_of(layer);
                      const auto module = part.compile_source(slot + ".cu", part.source(slot));
                      show_picture(part, module, layer, counted);
                    },
                    [&](lab::Lab& part) { show_layouts(part); }});
  show_calls(lab, std::move(calls), counted);
}

// Figures and answers are read off the report, never computed from the parameters.

const lab::SlidingWindowExhibit* window_in(const lab::Report& report) {
  const auto* window = report.find_as<lab::SlidingWindowExhibit>("window");
  return window && window->chosen < window->outputs.size() ? window : nullptr;
}

/// What the output's products add up to; the rest of its value is the bias.
double sum_of_products(const lab::SlidingWindowExhibit& window,
                       const lab::SlidingWindowExhibit::Output& output) {
  const auto value = [](const lab::TensorExhibit& tensor, std::int64_t at) {
    const bool inside = at >= 0 && at < static_cast<std::int64_t>(lab::count(tensor));
    return inside ? lab::element(tensor, unsigned_of(at)) : 0;
  };
  double sum = 0;
  for (std::size_t i = 0; i < std::min(output.inputs.size(), output.weights.size()); ++i)
    sum += value(window.input, output.inputs[i]) * value(window.weights, output.weights[i]);
  return sum;
}

std::string sliding_window_figure(const lab::Report& report, std::string_view what) {
  const lab::SlidingWindowExhibit* window = window_in(report);
  const auto sizes = window ? lab::sizes_of(*window) : std::nullopt;
  if (!sizes) return {};
  const lab::SlidingWindowExhibit::Output& output = window->outputs[window->chosen];
  const lab::SlidingWindowRead read = lab::read_of(*window, *sizes, output);
  if (what == "value") return lab::number(output.value, 6);
  if (what == "sum") return lab::number(sum_of_products(*window, output), 6);
  if (what == "bias") return lab::number(output.value - sum_of_products(*window, output), 6);
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

std::string pixel_after(const lab::Report& report, std::uint64_t row, std::uint64_t column) {
  const auto* after = report.find_as<lab::TensorExhibit>("after");
  if (!after || after->shape.size() != 2) return {};
  return lab::number(lab::element(*after, row * after->shape[1] + column), 6);
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
                       whole_number(words, "side", "convolution.unit.pixels", 8, 1, 256),
                       whole_number(words, "channels", "", 1, 1, 64),
                       whole_number(words, "filters", "", 8, 1, 64),
                       whole_number(words, "output", "", 27, 0, 65535),
                       choice(words, "classic", convolution::classic_filters()),
                       choice(words, "motif", {kPhotographed, "shapes"}),
                       own_picture(words, "image")};
  lesson.presets = {
      preset(presets, "small", {}),
      preset(
          presets, "conv2d-64",
          {{"side", Int{224}}, {"channels", Int{3}}, {"filters", Int{64}}, {"output", Int{451}}}),
      preset(presets, "half", {{"stride", Int{2}}}),
      preset(presets, "spread", {{"dilation", Int{2}}, {"pad", Int{2}}})};
  lesson.slots = convolution::convolve_slots();
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
      {"sum", [](const lab::Report& r) { return sliding_window_figure(r, "sum"); }},
      {"bias", [](const lab::Report& r) { return sliding_window_figure(r, "bias"); }},
      {"x-sectors", x_sectors},
      said("layout-sectors", "layouts", "sectors_times"),
      said("layout-time", "layouts", "time_times"),
      said("loops-time", "layouts", "loops_times"),
      said("issue-time", "layouts", "issue"),
      said("l1-time", "layouts", "l1"),
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
      {"corner", [](const lab::Report& r) { return pixel_after(r, 0, 0); }},
      {"flat", [](const lab::Report& r) { return pixel_after(r, 3, 12); }}};
  lesson.exercises = {"halo-tile"};
  return lesson;
}

}  // namespace warpbook::lessons
