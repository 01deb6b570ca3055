#include "lessons/common.hpp"

#include <algorithm>

#include "lab/exhibits/timings/estimate_text.hpp"
#include "lab/model/warps.hpp"

namespace warpbook::lessons {
namespace {

const std::string kCalls = "phrase.calls.";
constexpr const char* kUnknown = "?";

/// The words of a text, or those of bars; null where the report has neither.
const lab::Message* words_in(const lab::Report& report, std::string_view id) {
  if (const auto* text = report.find_as<lab::TextExhibit>(id)) return &text->text;
  const auto* bars = report.find_as<lab::BarsExhibit>(id);
  return bars ? &bars->says : nullptr;
}

const lab::GeometryExhibit* geometry(const lab::Report& report) {
  return report.find_as<lab::GeometryExhibit>("geometry");
}

}  // namespace

device::Launch launch_of(std::shared_ptr<const device::Module> module, const std::string& kernel,
                         std::int64_t threads, std::int64_t block,
                         std::vector<device::Argument> arguments) {
  device::Launch launch;
  launch.module = std::move(module);
  launch.kernel = kernel;
  launch.grid = {blocks_for(threads, block), 1, 1};
  launch.block = {static_cast<std::uint32_t>(block), 1, 1};
  launch.arguments = std::move(arguments);
  launch.budget.seconds = kPatience;
  return launch;
}

device::Argument pointer_argument(const device::Buffer& buffer) {
  return device::Argument::pointer(buffer.address());
}

device::Argument number_argument(std::int64_t value) {
  return device::Argument::of(static_cast<std::int32_t>(value));
}

lab::TensorExhibit tensor_of(const std::string& name, std::span<const float> values,
                             std::vector<std::uint64_t> shape) {
  if (shape.empty()) shape = {values.size()};
  return {name, device::ElementType::f32, std::move(shape), bytes_of(values), {}};
}

std::vector<float> floats_of(const lab::TensorExhibit& tensor) {
  std::vector<float> values(tensor.data.size() / sizeof(float));
  std::ranges::copy(tensor.data, std::as_writable_bytes(std::span(values)).begin());
  return values;
}

std::uint64_t warps_of(const device::LaunchRecord& record) {
  return record.grid.count() * lab::warps_in(record.block);
}

lab::CheckExhibit check_of(const std::string& words, const device::LaunchRecord& record,
                           std::uint64_t elements, std::uint64_t agreeing,
                           std::vector<lab::CheckExhibit::Mismatch> mismatches) {
  using Item = lab::CheckExhibit::Item;
  using State = lab::CheckExhibit::State;
  Item right{"right", State::passed, {words + "right"}, {}, {}, 0, {}, {}};
  right.mismatches = std::move(mismatches);
  right.got = {words + "agree", {{"right", lab::grouped(agreeing)}, {"n", lab::grouped(elements)}}};
  if (agreeing != elements) {
    right.state = State::failed;
    right.advice = {words + "right-advice"};
  }
  Item safe{"safe", State::passed, {words + "safe"}, {}, {}, 0, {}, {}};
  safe.got = {words + "findings", {{"count", lab::grouped(record.findings_total)}}};
  if (record.findings_total != 0) {
    safe.state = State::failed;
    safe.line = record.findings.front().by.place.line;
    safe.advice = {words + "safe-advice", {{"line", std::to_string(safe.line)}}};
  }
  return {{std::move(right), std::move(safe)}};
}

lab::TimingsExhibit times_of(lab::Lab& lab, const device::LaunchRecord& record) {
  lab::TimingsExhibit times{{"run.time.what"}, {}};
  const lab::Message kernel = lab::Message::plain(record.kernel);
  if (record.estimate) times.rows.push_back(lab::timing_of(kernel, *record.estimate));
  const bool simulated = lab.device().properties().simulated;
  const double s = record.seconds;
  times.rows.push_back(
      {simulated ? lab::Message{"run.time.simulation"} : kernel, s, s, s, s, 1, record.time, {}});
  return times;
}

lab::BarsExhibit::Bar count_bar(lab::Message label, std::uint64_t count) {
  return {std::move(label), static_cast<double>(count), lab::grouped(count)};
}

lab::BarsExhibit::Bar bytes_bar(lab::Message label, std::uint64_t bytes) {
  return {std::move(label), static_cast<double>(bytes), lab::byte_count(bytes)};
}

lab::BarsExhibit::Bar estimate_bar(lab::Message label, double seconds, double low, double high) {
  return {std::move(label), seconds,
          lab::duration(seconds) + " (" + lab::duration(low) + " – " + lab::duration(high) + ")"};
}

lab::BarsExhibit::Bar known_bar(lab::Message label, std::optional<std::uint64_t> count) {
  return count ? count_bar(std::move(label), *count)
               : lab::BarsExhibit::Bar{std::move(label), 0, kUnknown};
}

lab::BarsExhibit side_by_side(const std::string& words, const std::vector<std::string>& quantities,
                              const std::vector<std::vector<lab::BarsExhibit::Bar>>& bars,
                              device::MessageArguments arguments) {
  lab::BarsExhibit shown{{words + "says", std::move(arguments)}, {}};
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    lab::BarsExhibit::Group& group = shown.groups.emplace_back();
    group.meaning = {words + quantities[i]};
    for (const auto& of_one : bars) group.bars.push_back(of_one.at(i));
  }
  return shown;
}

void show_side_by_side(lab::Lab& lab, const std::string& words, const std::string& id,
                       const std::optional<device::Evidence>& evidence,
                       const std::vector<std::string>& quantities,
                       const std::vector<std::vector<lab::BarsExhibit::Bar>>& bars,
                       device::MessageArguments arguments) {
  const std::string own = words + id + ".";
  lab.show(
      {id, {own + "title"}, evidence, side_by_side(own, quantities, bars, std::move(arguments))});
}

std::string side_by_side_figure(const lab::Report& report, std::string_view id, std::size_t thing,
                                std::size_t quantity) {
  const auto* shown = report.find_as<lab::BarsExhibit>(id);
  if (!shown || quantity >= shown->groups.size()) return {};
  const auto& bars = shown->groups[quantity].bars;
  return thing < bars.size() && bars[thing].text != kUnknown ? bars[thing].text : "";
}

lab::BarsExhibit::Group lanes_of(const device::LaunchRecord& record) {
  return {{"run.cost.lanes"},
          {count_bar({"run.cost.lanes-busy"}, record.total.thread_instructions),
           count_bar({"run.cost.lanes-all"}, device::kLanes * record.total.warp_instructions)}};
}

lab::BarsExhibit::Group traffic_of(const device::LaunchRecord& record) {
  return {{"run.cost.traffic"},
          {bytes_bar({"run.cost.requested"}, record.total.global_bytes_asked),
           bytes_bar({"run.cost.moved"}, device::kSectorBytes * record.total.global_sectors)}};
}

void show_roofline(lab::Lab& lab, const std::string& title,
                   const std::vector<lab::RooflineRun>& runs, const std::string& chosen) {
  const auto first = std::ranges::find(runs, lab::Message::plain(chosen), &lab::RooflineRun::name);
  auto roofline = lab::roofline_of(lab.device().properties(), runs,
                                   static_cast<std::size_t>(first - runs.begin()));
  if (!roofline) return;
  device::Evidence estimated{
      device::EvidenceKind::estimated, lab::Message::plain(roofline->gpu), {}};
  lab.show({"roofline", {title}, std::move(estimated), std::move(*roofline)});
}

lab::Parameter whole_number(const std::string& words, const std::string& name, const char* unit,
                            std::int64_t initial, double low, double high) {
  lab::Parameter made{name, {words + name}, {unit}};
  made.initial = initial;
  made.minimum = low;
  made.maximum = high;
  made.logarithmic = high > 64;
  return made;
}

lab::Parameter choice(const std::string& words, const std::string& name,
                      const std::vector<std::string>& choices, const std::string& initial) {
  lab::Parameter made{name, {words + name}, {}};
  made.type = lab::Parameter::Type::choice;
  made.initial = initial.empty() ? choices.front() : initial;
  made.choices = choices;
  return made;
}

lab::Preset preset(const std::string& words, const std::string& name,
                   const std::vector<std::pair<std::string, lab::Value>>& values) {
  lab::Preset made{name, {words + name}, {}};
  for (const auto& [parameter, value] : values) made.values.set(parameter, value);
  return made;
}

std::string gpu_for_libraries(lab::Lab& lab) {
  return lab.device().properties().simulated ? lab.context().inputs->gpu : "here";
}

lab::Message host_calls(const device::Device& device) { return host_calls(device.host_calls()); }

lab::Message host_calls(std::span<const device::HostCall> calls) {
  std::vector<lab::Message> lines;
  for (const device::HostCall& call : calls) {
    std::string rest = call.subject.empty() ? "" : " " + call.subject;
    if (call.bytes != 0) rest += " " + lab::byte_count(call.bytes);
    lines.push_back({kCalls + call.call, {{"rest", std::move(rest)}}, {}});
  }
  return lab::Message::list_of("list.lines", std::move(lines));
}

std::string text_argument(const lab::Report& report, std::string_view id, std::string_view name) {
  const lab::Message* words = words_in(report, id);
  if (!words) return {};
  const lab::Message* value = device::argument_of(words->arguments, name);
  return value ? value->text : std::string();
}

std::string threads_started(const lab::Report& report) {
  return geometry(report) ? lab::grouped(geometry(report)->threads) : "";
}

std::string blocks_started(const lab::Report& report) {
  return geometry(report) ? lab::grouped(geometry(report)->grid.count()) : "";
}

std::string idle_threads(const lab::Report& report) {
  const auto* launched = geometry(report);
  return launched && launched->idle_known ? lab::grouped(launched->idle) : "";
}

std::string calls_of(const lab::Report& report, std::string_view call, std::string_view id) {
  const auto* text = report.find_as<lab::TextExhibit>(id);
  const lab::Message* calls = text ? device::argument_of(text->text.arguments, "calls") : nullptr;
  if (!calls) return {};
  const std::string beginning = kCalls + std::string(call);
  return lab::grouped(static_cast<std::uint64_t>(std::ranges::count_if(
      calls->arguments,
      [&](const lab::MessageArgument& line) { return line.value.key.starts_with(beginning); })));
}

}  // namespace warpbook::lessons
