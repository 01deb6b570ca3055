// The scratch page: any kernel of the reader's own, launched as they say, in all pictures that one launch can fill.
#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "device/characters.hpp"
#include "device/launch_check.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/spaces/spaces_of.hpp"
#include "lab/exhibits/warp_film/warp_film_of.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/launch/arguments.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons {
namespace {

constexpr const char* kSlot = "scratch";
constexpr std::uint32_t kFilmed = 1000;         ///< instructions of a film
constexpr std::uint64_t kMostDrawn = 1u << 16;  ///< elements of an array that is drawn

std::string_view last_word(std::string_view text) {
  const auto wordy = [](char c) { return device::is_letter(c) || device::is_digit(c) || c == '_'; };
  while (!text.empty() && !wordy(text.back())) text.remove_suffix(1);
  std::size_t begin = text.size();
  while (begin > 0 && wordy(text[begin - 1])) --begin;
  return text.substr(begin);
}

/// The names of a kernel's parameters as its source has them, since machine code keeps only their types. Empty where the
/// kernel's declaration is not found, as where a macro makes it.
std::vector<std::string> parameter_names(std::string_view source, std::string_view kernel) {
  std::vector<std::string> names;
  const std::size_t marked = source.find("__global__");
  std::size_t at = source.find(std::string(kernel) + "(", std::min(marked, source.size()));
  if (at == std::string_view::npos) return names;
  at += kernel.size() + 1;
  int depth = 0;
  for (std::size_t begin = at; at < source.size(); ++at) {
    const char c = source[at];
    if (c == '(' || c == '<' || c == '[') ++depth;
    const bool end = depth == 0 && c == ')';
    if (end || (depth == 0 && c == ',')) {
      const std::string_view parameter = source.substr(begin, at - begin);
      // "float tile[4]" and "int n = 1" are called by what stands before the bracket or the value.
      const std::string_view name = last_word(parameter.substr(0, parameter.find_first_of("[=")));
      if (!name.empty()) names.emplace_back(name);
      begin = at + 1;
    }
    if (end) break;
    if (c == ')' || c == '>' || c == ']') --depth;
  }
  return names;
}

/// It points to what the kernel cannot write.
bool is_constant(const device::ParameterInfo& parameter) {
  return parameter.declared.find("const") != std::string::npos;
}

/// What a parameter is given where the reader says nothing: data to read, room to write, the number of elements, a factor.
std::string usual_argument(const device::ParameterInfo& parameter, std::int64_t n) {
  using Class = device::ParameterClass;
  switch (device::class_of(parameter)) {
    case Class::pointer:
    case Class::pointer_or_integer:
      return fmt::format("{}:{}", is_constant(parameter) ? "ramp" : "zeros", n);
    case Class::floating: return "2";
    default: return std::to_string(n);
  }
}

/// The arguments as they are typed: the reader's, or else usual ones.
std::vector<std::string> typed_arguments(lab::Lab& lab, const device::KernelInfo& kernel) {
  std::vector<std::string> typed;
  std::istringstream words(lab.text("arguments"));
  for (std::string word; words >> word;) typed.push_back(word);
  if (!typed.empty()) return typed;
  for (const device::ParameterInfo& parameter : kernel.parameters)
    typed.push_back(usual_argument(parameter, lab.integer("n")));
  return typed;
}

device::Dim3 extent(lab::Lab& lab, const std::string& of) {
  const auto along = [&](const char* axis) {
    return static_cast<std::uint32_t>(lab.integer(of + axis));
  };
  return {along("_x"), along("_y"), along("_z")};
}

/// "scale<<<(4, 1, 1), (64, 1, 1)>>>(ramp:250, zeros:250, 250)": what was launched, to be read and to be changed.
void show_launch(lab::Lab& lab, const device::KernelInfo& kernel,
                 const std::vector<std::string>& typed, const std::vector<std::string>& names) {
  std::string arguments;
  for (std::size_t i = 0; i < typed.size(); ++i) {
    const std::string name = i < names.size() ? names[i] : fmt::format("arg{}", i + 1);
    arguments += fmt::format("\n    {} = {}", name, typed[i]);
  }
  const auto says = [](device::Dim3 d) { return fmt::format("({}, {}, {})", d.x, d.y, d.z); };
  lab.show({"launched",
            {"scratch.launched.title"},
            std::nullopt,
            lab::TextExhibit{{"scratch.launched.says",
                              {{"kernel", kernel.name},
                               {"grid", says(extent(lab, "grid"))},
                               {"block", says(extent(lab, "block"))},
                               {"arguments", arguments},
                               {"typed", fmt::format("{}", fmt::join(typed, " "))}}},
                             true}});
}

/// Threads wired to arrays, where these are small enough to be drawn; and each array after the launch.
void show_arrays(lab::Lab& lab, const device::LaunchRecord& record,
                 const device::KernelInfo& kernel, const lab::BoundArguments& bound,
                 const device::Evidence& counted) {
  std::vector<lab::AccessesExhibit::Array> read, written;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const device::Buffer* buffer = bound.buffer_of(i);
    if (!buffer || buffer->count() == 0 || buffer->count() > kMostDrawn) continue;
    const bool constant = is_constant(kernel.parameters[i]);
    (constant ? read : written).push_back({lab.tensor(*buffer), !constant});
  }
  std::vector<lab::AccessesExhibit::Array> arrays = std::move(read);
  std::ranges::move(written, std::back_inserter(arrays));
  if (arrays.empty()) return;
  lab.show({"wires", {"scratch.wires"}, counted, lab::accesses_of(record, arrays)});
  for (const auto& array : arrays) {
    lab.show({"after-" + array.tensor.name,
              {"scratch.after", {{"name", array.tensor.name}}, {}},
              counted,
              array.tensor});
  }
}

void show_counted(lab::Lab& lab, const device::LaunchRecord& record,
                  const device::KernelInfo& kernel, const device::WatchedWarp& watched) {
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  lab.show({"map", {"scratch.map"}, counted, lab::sectors_of(record)});
  lab.show(
      {"film",
       {"scratch.film"},
       counted,
       lab::warp_film_of(record, watched, std::string(kSlot) + ".cu", lab.source(kSlot), false)});
  lab.show({"spaces",
            {"scratch.spaces"},
            counted,
            lab::spaces_of(record, kernel, lab.device().properties())});
}

/// The page's run: one launch.
void scratch_experiment(lab::Lab& lab) {
  const auto module = lab.compile(kSlot);
  const device::KernelInfo& kernel = *lab::require(module->kernel(lab.text("kernel")));
  const std::vector<std::string> typed = typed_arguments(lab, kernel),
                                 names = parameter_names(lab.source(kSlot), kernel.name);
  show_launch(lab, kernel, typed, names);
  std::vector<lab::LaunchArgument> arguments;
  for (const std::string& text : typed)
    arguments.push_back(lab::require(lab::parse_argument(text)));
  const auto bound =
      lab::require(lab::BoundArguments::bind(lab.device(), kernel, arguments, names));
  const device::WatchedWarp watched{0, 0, kFilmed};
  device::Launch launch;
  launch.module = module;
  launch.kernel = kernel.mangled;
  launch.grid = extent(lab, "grid");
  launch.block = extent(lab, "block");
  launch.dynamic_shared = static_cast<std::uint32_t>(lab.integer("shared"));
  launch.arguments = bound.values();
  launch.observe.watched_warp = watched;
  const auto record = lab.launch(std::move(launch));
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  show_arrays(lab, *record, kernel, bound, counted);
  lab.show({"geometry", {"scratch.geometry"}, counted, lab::geometry_of(*record)});
  if (record->counted) show_counted(lab, *record, kernel, watched);
  lab.show({"time", {"run.time.title"}, std::nullopt, times_of(lab, *record)});
  const std::string name = kernel.name;
  show_roofline(lab, "scratch.roofline", {{lab::Message::plain(name), {record}}}, name);
}

lab::Parameter words(const std::string& name) {
  lab::Parameter made{name, {"scratch.parameter." + name}, {}};
  made.type = lab::Parameter::Type::text;
  made.initial = std::string();
  return made;
}

}  // namespace

lab::Lesson scratch_page() {
  constexpr std::int64_t kElements = 250, kBlock = 64, kBlocks = 4;
  constexpr double kMostBlocks = 65535, kMostThreads = 1024, kMostShared = 232448;
  lab::Lesson page;
  page.slug = "scratch";
  const auto number = [](const char* name, const char* unit, std::int64_t initial, double low,
                         double high) {
    return whole_number("scratch.parameter.", name, unit, initial, low, high);
  };
  const char *blocks = "scratch.unit.blocks", *threads = "scratch.unit.threads";
  page.parameters = {words("arguments"),
                     number("n", "scratch.unit.elements", kElements, 1, 1 << 20),
                     number("grid_x", blocks, kBlocks, 1, kMostBlocks),
                     number("block_x", threads, kBlock, 1, kMostThreads),
                     number("grid_y", blocks, 1, 1, kMostBlocks),
                     number("block_y", threads, 1, 1, kMostThreads),
                     number("grid_z", blocks, 1, 1, kMostBlocks),
                     number("block_z", threads, 1, 1, kMostThreads),
                     number("shared", "scratch.unit.bytes", 0, 0, kMostShared),
                     words("kernel")};
  page.slots = {{kSlot, "lessons/scratch/variants/scratch.cu", {}, true}};
  page.experiment = scratch_experiment;
  return page;
}

}  // namespace warpbook::lessons
