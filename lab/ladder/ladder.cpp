#include "lab/ladder/ladder.hpp"

#include <algorithm>
#include <charconv>

#include "device/records/record.hpp"
#include "lab/ladder/algorithms_of.hpp"
#include "lab/ladder/library_problem.hpp"
#include "lab/ladder/library_truth.hpp"
#include "lab/text/source_text.hpp"
#include "lab/text/toml_value.hpp"

namespace warpbook::lab {
namespace {

using device::ErrorCode;
using ParameterKind = Operation::Parameter::Kind;

/// Of all arrays together. Every access is simulated: what is larger takes minutes and tells no more.
constexpr std::uint64_t kMostBytes = 1ull << 30;

bool is_real(const Operation::Parameter& parameter) {
  return parameter.type == device::ElementType::f32 || parameter.type == device::ElementType::f64;
}

tl::unexpected<device::Error> bad_size(const std::string& text, device::Message why) {
  return device::failure(ErrorCode::bad_argument,
                         {{"text", "--size " + text}, {"why", std::move(why)}});
}

template <class T>
bool read(std::string_view text, T& value) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc{} && end == text.data() + text.size();
}

std::vector<std::string_view> split(std::string_view text, char between) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(between);
    parts.push_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Those that are given, not computed from others.
std::vector<const Operation::Parameter*> scalars_of(const Operation& operation) {
  std::vector<const Operation::Parameter*> scalars;
  for (const Operation::Parameter& parameter : operation.parameters) {
    if (parameter.kind == ParameterKind::scalar && parameter.value.empty())
      scalars.push_back(&parameter);
  }
  return scalars;
}

/// "rows and columns", as an error names what a size is made of.
device::Message names_of(const std::vector<const Operation::Parameter*>& scalars) {
  std::vector<std::string> names;
  for (const auto* scalar : scalars) names.push_back(scalar->name);
  return listed(names);
}

bool set(OperationCase& size, const Operation::Parameter& scalar, std::string_view text) {
  if (is_real(scalar)) return read(text, size.real_scalars[scalar.name]);
  return read(text, size.scalars[scalar.name]);
}

device::Expected<device::Done> read_size(const std::string& text, const Operation& operation,
                                         OperationCase& size) {
  const auto scalars = scalars_of(operation);
  const auto names = [&] {
    return bad_size(text, {"phrase.why.sizes-are",
                           {{"operation", operation.name}, {"known", names_of(scalars)}},
                           {}});
  };
  if (text.find('=') == text.npos) {
    const auto values = split(text, 'x');
    if (values.size() > scalars.size()) return names();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!set(size, *scalars[i], values[i]))
        return bad_size(text, {"phrase.why.size-form", {{"name", scalars[0]->name}}, {}});
    }
    return device::Done{};
  }
  for (const std::string_view part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    const auto scalar = std::ranges::find_if(
        scalars, [&](const auto* known) { return known->name == part.substr(0, equals); });
    if (scalar == scalars.end() || equals == part.npos) return names();
    if (!set(size, **scalar, part.substr(equals + 1)))
      return bad_size(text,
                      {"phrase.why.no-number-for",
                       {{"text", std::string(part.substr(equals + 1))}, {"name", (*scalar)->name}},
                       {}});
  }
  return device::Done{};
}

device::Expected<OperationCase> parse_size(const std::string& text, const Operation& operation) {
  OperationCase size = operation.ladder;
  if (text.empty()) return size;
  if (auto read = read_size(text, operation, size); !read) return tl::unexpected(read.error());
  if (const auto error = add_values(operation, size.scalars))
    return bad_size(text, error->message());
  return size;
}

/// "conv" for convolution: what all names that begin so begin with, if that is one of them.
std::string full_name(const std::string& word, const std::vector<std::string>& names) {
  std::string shortest;
  for (const std::string& name : names) {
    if (name.starts_with(word) && (shortest.empty() || name.size() < shortest.size()))
      shortest = name;
  }
  const bool begins_all = std::ranges::all_of(names, [&](const std::string& name) {
    return !name.starts_with(word) || name.starts_with(shortest);
  });
  return shortest.empty() || word.empty() || !begins_all ? word : shortest;
}

/// Defines go beside the scalars, which is where rungs look for them.
device::Expected<device::Done> set_defines(const std::vector<std::string>& texts,
                                           const Operation& operation, OperationCase& size) {
  std::vector<std::string> known;
  for (const Rung& rung : operation.rungs) {
    for (const auto& [name, value] : rung.defines) {
      if (std::ranges::find(known, name) == known.end()) known.push_back(name);
    }
  }
  for (const std::string& text : texts) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::string name = text.substr(0, equals);
    if (std::ranges::find(known, name) == known.end() || equals == text.size() ||
        !read(std::string_view(text).substr(equals + 1), size.scalars[name])) {
      return device::failure(
          ErrorCode::bad_argument,
          {{"text", "--define " + text},
           {"why", device::Message{"phrase.why.rung-defines",
                                   {{"operation", operation.name}, {"known", listed(known)}},
                                   {}}}});
    }
  }
  return device::Done{};
}

/// Sizes that make no arrays, or arrays that no simulation gets through.
device::Expected<device::Done> check_size(const std::string& text, const Operation& operation,
                                          const OperationCase& size) {
  std::uint64_t bytes = 0;
  for (const Operation::Parameter& parameter : operation.parameters) {
    const auto whole = size.scalars.find(parameter.name);
    if (whole != size.scalars.end() && parameter.value.empty() && whole->second < 0)
      return bad_size(
          text,
          {"phrase.why.negative-size", {{"name", parameter.name}, {"value", whole->second}}, {}});
    if (parameter.kind == ParameterKind::scalar) continue;
    std::uint64_t of_array = device::size_of(parameter.type);
    for (const std::string& expression : parameter.shape) {
      const auto extent = evaluate(expression, size.scalars);
      if (!extent) return bad_size(text, extent.error().message());
      if (*extent < 0)
        return bad_size(
            text, {"phrase.why.negative-array",
                   {{"name", parameter.name}, {"expression", expression}, {"elements", *extent}},
                   {}});
      if (__builtin_mul_overflow(of_array, static_cast<std::uint64_t>(*extent), &of_array))
        of_array = kMostBytes + 1;
    }
    bytes += std::min(of_array, kMostBytes + 1);
    if (bytes > kMostBytes)
      return bad_size(text, {"phrase.why.large-arrays", {{"bytes", byte_count(kMostBytes)}}, {}});
  }
  return device::Done{};
}

std::optional<std::uint32_t> most_registers(const device::Module& module) {
  std::optional<std::uint32_t> most;
  for (const device::KernelInfo& kernel : module.kernels()) {
    if (kernel.registers) most = std::max(most.value_or(0), *kernel.registers);
  }
  return most;
}

/// The operation's scalars in its order: those that are given, then those that follow from them.
std::string size_text(const Operation& operation, const OperationCase& size) {
  std::vector<std::string> given, computed;
  for (const Operation::Parameter& parameter : operation.parameters) {
    if (parameter.kind != ParameterKind::scalar) continue;
    const auto whole = size.scalars.find(parameter.name);
    const auto real = size.real_scalars.find(parameter.name);
    std::string value;
    if (whole != size.scalars.end()) value = std::to_string(whole->second);
    if (real != size.real_scalars.end()) value = number(real->second);
    if (!value.empty())
      (parameter.value.empty() ? given : computed).push_back(parameter.name + " = " + value);
  }
  given.insert(given.end(), computed.begin(), computed.end());
  std::string text;
  for (const std::string& part : given) text += (text.empty() ? "" : ", ") + part;
  return text;
}

/// A rung that is right at the size that was asked for, held to others; the first that it fails at is told.
void check_also(Lab& lab, const Operation& operation, const std::vector<OperationCase>& also,
                const std::shared_ptr<const device::Module>& module, LadderRow& row) {
  for (const OperationCase& size : also) {
    if (!row.verdict.passed()) return;
    if (!admits(row.rung, size.scalars)) continue;
    KernelVerdict verdict = check_rung(lab, operation, row.rung, size, module);
    if (verdict.passed()) continue;
    row.failed_at = size_text(operation, size);
    row.verdict.failures = std::move(verdict.failures);
  }
}

LadderRow climb_rung(Lab& lab, const Operation& operation, const Rung& rung,
                     const OperationCase& size, const std::vector<OperationCase>& also) {
  LadderRow row;
  row.rung = rung;
  const int capability = lab.device().properties().compute_capability;
  if (rung.needs > capability) {
    row.left_out = {
        "ladder.needs",
        {{"major", std::to_string(rung.needs / 10)}, {"minor", std::to_string(rung.needs % 10)}},
        {}};
    return row;
  }
  if (!admits(rung, size.scalars)) {
    row.left_out = {"ladder.only", {{"conditions", listed(rung.only)}}, {}};
    return row;
  }
  const auto names = lab::names_of(rung, size.scalars);
  row.bytes = evaluate(rung.bytes, names).value_or(0);
  row.flops = evaluate(rung.flops, names).value_or(0);
  std::shared_ptr<const device::Module> module;
  try {
    module = compile_rung(lab, rung, size.scalars, true);
  } catch (const ExperimentFailed& failed) {
    if (failed.error.code != ErrorCode::compile_error) throw;
    row.verdict.failures.push_back({Caught::other, {}, failed.error, {}, {}, 0});
    return row;
  }
  row.registers = most_registers(*module);
  row.verdict = check_rung(lab, operation, rung, size, module, true);
  row.estimate = estimate_of(row.verdict.records);
  for (const auto& record : row.verdict.records) row.total += record->total;
  check_also(lab, operation, also, module, row);
  return row;
}

/// What this GPU was once measured to take, of the rungs that have not changed since. A record that cannot be read is an error;
/// that there is none is not.
device::Expected<device::Done> add_record(Ladder& ladder, const std::string& gpu,
                                          const std::string& root) {
  const device::Properties* const known = device::find_gpu(gpu);
  const auto record = device::find_record(root, known ? known->name : gpu);
  if (!record) {
    if (record.error().code == ErrorCode::no_record) return device::Done{};
    return tl::unexpected(record.error());
  }
  for (LadderRow& row : ladder.rows) {
    const auto source = read_source_file(root, row.rung.path);
    if (!source) return tl::unexpected(source.error());
    const device::RecordedRung* const found =
        record->rung(ladder.operation, row.rung.name, ladder.size.text(), *source);
    if (!found) continue;
    const device::RecordedTime& time = found->time;
    row.record = LadderTime{time.median, time.p20, time.p80, {}, record->evidence()};
  }
  return device::Done{};
}

/// The libraries' algorithms beside the rungs: listed for the rungs' GPU where they can be, timed and held against the rungs' own
/// truth where they can run.
device::Expected<device::Done> add_libraries(Ladder& ladder, const Operation& operation,
                                             const std::string& gpu, const std::stop_token& stop) {
  const auto problem = library_problem(ladder.operation, ladder.size.scalars);
  if (!problem) {
    ladder.no_libraries = {"ladder.no-library", {{"operation", ladder.operation}}, {}};
    return device::Done{};
  }
  if (const auto fits = device::libraries::check(*problem); !fits) {
    ladder.no_libraries = {"ladder.libraries-refuse", {{"why", fits.error().message()}}, {}};
    return device::Done{};
  }
  AlgorithmsRequest request;
  request.problem = *problem;
  request.gpu = gpu;
  try {
    request.truth = library_truth(operation, ladder.size, *problem);
  } catch (const ExperimentFailed& failed) {
    return tl::unexpected(failed.error);
  }
  if (request.truth && request.truth->tolerance)
    ladder.libraries_tolerance = request.truth->tolerance->text;
  auto made = algorithms_of(request, stop);
  if (!made) return tl::unexpected(made.error());
  ladder.libraries = std::move(*made);
  return device::Done{};
}

}  // namespace

std::optional<LadderTime> estimate_of(
    const std::vector<std::shared_ptr<const device::LaunchRecord>>& records) {
  if (records.empty()) return std::nullopt;
  LadderTime sum;
  double longest = -1;
  for (const auto& record : records) {
    if (!record->estimate) return std::nullopt;
    const device::Estimate& one = *record->estimate;
    sum.seconds += one.seconds;
    sum.low += one.low;
    sum.high += one.high;
    sum.evidence = one.time;
    if (one.seconds > longest) sum.limiter = one.limiter;
    longest = std::max(longest, one.seconds);
  }
  return sum;
}

bool Ladder::passed() const {
  return std::ranges::all_of(rows, [](const LadderRow& row) { return row.verdict.passed(); });
}

device::Expected<Ladder> climb(const LadderRequest& request,
                               std::shared_ptr<device::Compiler> compiler, const std::string& root,
                               std::stop_token stop) {
  const auto operation = load_operation(root, full_name(request.operation, operation_names(root)));
  if (!operation) return tl::unexpected(operation.error());
  auto size = parse_size(request.size, *operation);
  if (!size) return tl::unexpected(size.error());
  if (auto fits = check_size(request.size, *operation, *size); !fits)
    return tl::unexpected(fits.error());
  OperationCase with_defines = *size;
  if (auto set = set_defines(request.defines, *operation, with_defines); !set)
    return tl::unexpected(set.error());

  std::vector<OperationCase> also;
  for (const OperationCase& small : operation->cases) {
    if (small.label == OperationCase::Label::quick) also.push_back(small);
  }

  Ladder ladder;
  for (OperationCase& small : also) {
    ladder.also.push_back(size_text(*operation, small));
    if (auto set = set_defines(request.defines, *operation, small); !set)
      return tl::unexpected(set.error());
  }
  ladder.operation = operation->name;
  ladder.size = *size;
  ladder.size_text = size_text(*operation, *size);
  ladder.defines = request.defines;
  const auto say = [&](const Message& begins) {
    if (request.progress) request.progress(begins);
  };
  for (const Rung& rung : operation->rungs) {
    say({"ladder.checking",
         {{"rung", rung.name},
          {"number", std::to_string(ladder.rows.size() + 1)},
          {"count", std::to_string(operation->rungs.size())}},
         {}});
    // Each rung gets a device of its own, so that none finds another's memory.
    auto lab = checking_lab(compiler, root, request.gpu, stop, request.checks);
    if (!lab) return tl::unexpected(lab.error());
    ladder.gpu = (*lab)->device_name();
    try {
      ladder.rows.push_back(climb_rung(**lab, *operation, rung, with_defines, also));
    } catch (const ExperimentFailed& failed) {
      return tl::unexpected(failed.error);
    }
  }
  // A record is of the rungs as they stand in the tree.
  if (request.defines.empty()) {
    if (auto recorded = add_record(ladder, request.gpu, root); !recorded)
      return tl::unexpected(recorded.error());
  }
  if (request.libraries) {
    say({"ladder.asking"});
    if (auto asked = add_libraries(ladder, *operation, request.gpu, stop); !asked)
      return tl::unexpected(asked.error());
  }
  return ladder;
}

}  // namespace warpbook::lab
