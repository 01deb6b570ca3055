// diagnose: three kernels that nobody sees, told by their counters: what holds each of them up, and how long that takes.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"
#include "lab/text/source_text.hpp"
#include "lab/text/toml_value.hpp"

namespace warpbook::exercises {
namespace diagnose_check {

using Item = lab::CheckExhibit::Item;
using State = lab::CheckExhibit::State;

const std::string kWords = "diagnose.";
constexpr const char* kGpu = "h200";  ///< whose rates the task gives
constexpr std::array<const char*, 3> kKernels{"a", "b", "c"};
const std::vector<std::string> kParts{"issue", "shared", "atomics", "dram"};
constexpr std::uint32_t kBlocks = 1024, kThreads = 256;
constexpr std::uint64_t kBlocksRun = 16;
constexpr std::uint64_t kReadings =
    8ull * kBlocks * kThreads;                ///< one kernel leaves seven of eight out
constexpr double kMicro = 1e6, kMilli = 1e3;  ///< microseconds in a second, and in a millisecond

struct Diagnosis {
  std::string bottleneck;
  double microseconds = 0;
  std::uint32_t line = 0;  ///< of its table
};

std::optional<Diagnosis> read_diagnosis(lab::TomlReader& outer, const char* name) {
  const lab::TomlValue* table = outer.any(name);
  if (table == nullptr || !std::holds_alternative<lab::TomlTable>(table->value)) {
    outer.refuse(
        name, table ? lab::describe(*table) : lab::toml_phrase("absent"),
        lab::toml_phrase("table-of-keys",
                         {{"name", name}, {"keys", lab::listed({"bottleneck", "microseconds"})}}));
    return std::nullopt;
  }
  lab::TomlReader reader(name, *table, outer.file());
  Diagnosis diagnosis{reader.text("bottleneck"), 0, table->line};
  if (!diagnosis.bottleneck.empty() &&
      std::ranges::find(kParts, diagnosis.bottleneck) == kParts.end())
    reader.refuse("bottleneck", lab::in_quotes(diagnosis.bottleneck), lab::one_of_quoted(kParts));
  const lab::TomlValue* given = reader.any("microseconds");
  diagnosis.microseconds = reader.optional_real("microseconds").value_or(-1);
  if (!(diagnosis.microseconds >= 0) || std::isinf(diagnosis.microseconds))
    reader.refuse("microseconds", given ? lab::describe(*given) : lab::toml_phrase("absent"),
                  lab::Message{"phrase.exercise.at-least-zero"});
  if (auto error = reader.finish()) {
    outer.keep(std::move(*error));
    return std::nullopt;
  }
  return diagnosis;
}

/// The longest of the bounds that the model has for the kernel of that name.
device::EstimateBound bottleneck_of(lab::Lab& lab, device::Device& device,
                                    const std::string& name) {
  device::CompileRequest request;
  request.name = name + ".cu";
  request.source = lab::require(
      lab::read_source_file(lab.context().root, "exercises/diagnose/kernels/" + request.name));
  request.architecture = device.properties().compute_capability;
  request.cubin = true;
  const auto program = lab.context().compiler->compile(request, lab.context().stop);
  if (!program) throw lab::ExperimentFailed{program.error().error, program.error().diagnostics};
  const device::Pointer in =
      lab::require(device.allocate("in", device::ElementType::f32, kReadings));
  const device::Pointer out =
      lab::require(device.allocate("out", device::ElementType::f32, kReadings));
  device::Launch launch;
  launch.module = lab::require(device.load(*program));
  launch.grid = {kBlocks, 1, 1};
  launch.block = {kThreads, 1, 1};
  launch.arguments = {device::Argument::pointer(in), device::Argument::pointer(out)};
  launch.observe.initcheck = false;  // what is in the arrays decides nothing
  launch.estimate = {true, kBlocksRun};
  launch.stop = lab.context().stop;
  const auto record = lab::require(device.launch(std::move(launch)).wait());
  return record->estimate.value().bounds.front();
}

bool is_near(double time, double estimate) {
  constexpr double kTolerance = 0.25;
  return std::abs(time - estimate) <= kTolerance * estimate;
}

/// What to say of a time that is not `estimate`: the unit in which it would be right, else whether it is short or long.
const char* slip_in(double time, double estimate, double clock_mhz) {
  if (is_near(time, estimate * clock_mhz)) return "clocks";
  if (is_near(time * kMicro, estimate)) return "seconds";
  if (is_near(time * kMilli, estimate)) return "milliseconds";
  return time < estimate ? "short" : "long";
}

/// Both the part and its time, which is allowed to differ by a quarter.
Item judged(const std::string& id, const Diagnosis& diagnosis,
            const device::EstimateBound& bottleneck, double clock_mhz) {
  Item item{id, State::passed, {kWords + "sentence", {{"kernel", id}}}};
  const auto words = [&](const char* what) {
    return lab::Message{kWords + what,
                        {{"kernel", id},
                         {"part", lab::Message{"estimate.part." + diagnosis.bottleneck}},
                         {"time", lab::number(diagnosis.microseconds, 3)},
                         {"how", lab::Message{kWords + "how." + diagnosis.bottleneck}}}};
  };
  item.got = words("got");
  const double microseconds = bottleneck.seconds * kMicro;
  const bool right = diagnosis.bottleneck == bottleneck.name,
             timed = is_near(diagnosis.microseconds, microseconds);
  if (right && timed) return item;
  item.state = State::failed;
  item.line = diagnosis.line;
  item.advice =
      words(right ? slip_in(diagnosis.microseconds, microseconds, clock_mhz) : "another-part");
  return item;
}

void check(lab::Checker& checker) {
  Item reads{"reads", State::passed, {kWords + "reads.sentence"}};
  const auto fail = [&](const device::Error& error) {
    reads.state = State::failed;
    device::Error bare = error;
    bare.place = {};
    reads.got = lab::Message::plain(bare.english());
    reads.line = error.place.line;
    reads.advice = {kWords + "reads.advice"};
    checker.result.items = {reads};
  };
  const auto table = lab::parse_toml(checker.source, checker.file_name);
  if (!table) return fail(table.error());
  lab::TomlReader reader(checker.file_name, *table, checker.file_name);
  std::vector<std::optional<Diagnosis>> diagnoses;
  for (const char* name : kKernels) diagnoses.push_back(read_diagnosis(reader, name));
  if (const auto error = reader.finish()) return fail(*error);

  checker.result.items = {std::move(reads)};
  const auto device = device::make_simulated_device(*lab::require(device::known_gpu(kGpu)));
  const double clock_mhz = device->properties().clock_khz / 1e3;
  for (std::size_t k = 0; k < kKernels.size(); ++k) {
    const std::string name = kKernels[k];
    checker.result.items.push_back(
        judged(name, *diagnoses[k], bottleneck_of(checker.lab, *device, name), clock_mhz));
  }
}

}  // namespace diagnose_check

lab::Exercise diagnose() { return {"diagnose", diagnose_check::check}; }

}  // namespace warpbook::exercises
