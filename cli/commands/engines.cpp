// warpbook engines conv: the algorithms that the libraries have for a convolution. cuDNN's for a GPU that is described to
// it (reported), oneDNN's with their times on this CPU (measured).
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "device/device.hpp"
#include "device/libraries/described_gpu.hpp"
#include "lab/ladder/library_answer.hpp"
#include "lab/render/render.hpp"

namespace warpbook::cli {
namespace {

using namespace device::libraries;
using device::ErrorCode;
using device::Expected;
using device::Timing;
using nlohmann::json;

struct EnginesFlags {
  LanguageFlag language;
  std::string operation, shape, filters, gpu{device::kDefaultGpu}, stride = "1", pad = "0",
                                                                   dilation = "1";
  std::string layout = "nchw", pass = "forward", precision = "fp32";
  std::uint64_t workspace_cap = lab::kNoCap;  ///< bytes
  double time_limit = 2;
  std::uint32_t groups = 1;
  bool no_time = false, json = false;
};

/// One library's answer, and where it comes from.
struct Answer : lab::LibraryAnswer {
  device::EvidenceKind evidence = device::EvidenceKind::reported;
  device::Message how;  ///< how the device's description was obtained
};

/// "16x64x56x56" -> its numbers, of which there must be as many as one of `counts` says.
Expected<std::vector<std::int64_t>> numbers_in(const std::string& what, const std::string& text,
                                               std::initializer_list<std::size_t> counts,
                                               const std::string& form) {
  std::vector<std::int64_t> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    std::int64_t number = 0;
    const auto [after, error] = std::from_chars(at, end, number);
    if (error != std::errc() || (after != end && *after != 'x')) break;
    numbers.push_back(number);
    at = after == end ? end : after + 1;
    if (at == end && after != end) numbers.clear();  // ends in an x
  }
  if (at == end && std::ranges::find(counts, numbers.size()) != counts.end()) return numbers;
  return device::failure(ErrorCode::bad_problem,
                         {{"what", device::Message{"phrase.what." + what, {}, {}}},
                          {"value", text},
                          {"why", device::Message{"phrase.why.write-as", {{"form", form}}, {}}}});
}

Expected<Along> along(const std::string& what, const std::string& text) {
  const auto numbers = numbers_in(what, text, {1, 2}, "N or HxW");
  if (!numbers) return tl::unexpected(numbers.error());
  return Along{numbers->front(), numbers->back()};
}

/// The channels that are written with the filters are those of one group. What the groups themselves cannot be, check() says.
Expected<void> check_channels(const EnginesFlags& flags, const Problem& problem,
                              std::int64_t channels) {
  if (problem.groups < 1 || problem.image.c % problem.groups != 0) return {};
  const std::int64_t expected = filters_of(problem).c;
  if (channels == expected) return {};
  const auto why = problem.groups == 1
                       ? device::Message{"phrase.why.filter-channels",
                                         {{"got", channels}, {"expected", expected}},
                                         {}}
                       : device::Message{"phrase.why.filter-channels-grouped",
                                         {{"got", channels}, {"expected", expected}},
                                         {}};
  return device::failure(ErrorCode::bad_problem,
                         {{"what", device::Message{"phrase.what.the-filter", {}, {}}},
                          {"value", flags.filters},
                          {"why", why}});
}

Expected<Problem> problem_of(const EnginesFlags& flags) {
  Problem problem;
  const auto image = numbers_in("the-shape", flags.shape, {4}, "NxCxHxW");
  if (!image) return tl::unexpected(image.error());
  problem.image = {(*image)[0], (*image)[1], (*image)[2], (*image)[3]};
  const auto filters = numbers_in("the-filter", flags.filters, {3, 4}, "KxRxS or KxCxRxS");
  if (!filters) return tl::unexpected(filters.error());
  const std::size_t n = filters->size();
  problem.filters = filters->front();
  problem.window = {(*filters)[n - 2], (*filters)[n - 1]};
  problem.groups = flags.groups;
  const auto stride = along("the-stride", flags.stride);
  if (!stride) return tl::unexpected(stride.error());
  const auto pad = along("the-padding", flags.pad);
  if (!pad) return tl::unexpected(pad.error());
  const auto dilation = along("the-dilation", flags.dilation);
  if (!dilation) return tl::unexpected(dilation.error());
  problem.stride = *stride;
  problem.pad = *pad;
  problem.dilation = *dilation;
  parse(flags.layout, problem.layout);
  parse(flags.pass, problem.pass);
  parse(flags.precision, problem.precision);
  if (n == 4) {
    if (auto fits = check_channels(flags, problem, (*filters)[1]); !fits)
      return tl::unexpected(fits.error());
  }
  if (auto good = check(problem); !good) return tl::unexpected(good.error());
  return problem;
}

Answer ask(Kind kind, const Problem& problem, const Target& target, bool times,
           const EnginesFlags& flags) {
  Answer answer;
  Client client(kind);
  lab::LibraryQuestion question;
  question.kind = kind;
  question.problem = problem;
  question.target = target;
  question.workspace_cap = flags.workspace_cap;
  question.times = times;
  question.longest = flags.time_limit;
  static_cast<lab::LibraryAnswer&>(answer) = lab::ask_library(question, client);
  if (answer.error || !times) return answer;
  answer.evidence = device::EvidenceKind::measured;
  return answer;
}

json to_json(const Timing& t) {
  return {{"median_seconds", t.median},
          {"p20_seconds", t.p20},
          {"p80_seconds", t.p80},
          {"minimum_seconds", t.minimum},
          {"samples", t.samples},
          {"hot", t.hot},
          {"unsteady", device::is_unsteady(t.p20, t.p80)}};
}

json to_json(const Answer& answer, const EnginesFlags& flags) {
  json algorithms = json::array();
  for (std::size_t i = 0; i < answer.algorithms.size(); ++i) {
    const Algorithm& a = answer.algorithms[i];
    json entry{{"name", a.name},
               {"settings", a.settings},
               {"workspace_bytes", a.workspace},
               {"notes", a.notes}};
    if (!a.origin.empty()) entry["origin"] = a.origin;
    if (i < answer.timings.size()) {
      if (answer.timings[i]) {
        entry["time"] = to_json(*answer.timings[i]);
      } else {
        entry["slower_than_seconds"] = flags.time_limit;
      }
    }
    algorithms.push_back(std::move(entry));
  }
  json found{{"library", name_of(answer.kind)},
             {"algorithms", algorithms},
             {"left_out_of_lower_precision", answer.left_out},
             {"engines_that_refuse", answer.refused},
             {"over_the_workspace_cap", answer.over_cap},
             {"evidence", device::name_of(answer.evidence)},
             {"on", answer.on}};
  if (answer.identity) {
    found["version"] = answer.identity->version;
    found["file"] = answer.identity->file;
  }
  if (!answer.how.empty()) found["description"] = answer.how.english();
  if (answer.error) {
    found["error"] = {{"code", device::name_of(answer.error->code)},
                      {"text", answer.error->english()}};
  }
  return found;
}

json to_json(const Problem& p) {
  const Shape y = result_of(p);
  return {{"operation", name_of(p.kind)},
          {"pass", name_of(p.pass)},
          {"layout", name_of(p.layout)},
          {"precision", name_of(p.precision)},
          {"image", p.image.extents()},
          {"filters", filters_of(p).extents()},
          {"groups", p.groups},
          {"result", y.extents()},
          {"stride", {p.stride.h, p.stride.w}},
          {"pad", {p.pad.h, p.pad.w}},
          {"dilation", {p.dilation.h, p.dilation.w}},
          {"multiply_adds", multiply_adds(p)}};
}

std::string time_of(const Answer& answer, std::size_t i, const EnginesFlags& flags,
                    const lab::Strings& strings) {
  if (i >= answer.timings.size()) return {};
  if (!answer.timings[i])
    return strings("cli.engines.slower", {{"time", lab::duration(flags.time_limit)}});
  const Timing& t = *answer.timings[i];
  return fmt::format("{} ({} - {}, {}x)", lab::duration(t.median), lab::duration(t.p20),
                     lab::duration(t.p80), t.samples);
}

void print(const Answer& answer, const EnginesFlags& flags, const lab::Strings& strings) {
  const auto say = [&](std::string_view key, const lab::MessageArguments& arguments) {
    fmt::print("  {}\n", strings(key, arguments));
  };
  fmt::print("\n{}", name_of(answer.kind));
  if (answer.identity) fmt::print(" {}", answer.identity->version);
  fmt::print("\n");
  if (!answer.how.empty()) say("cli.engines.described", {{"gpu", answer.on}, {"how", answer.how}});
  if (!answer.timings.empty()) say("cli.engines.measured", {{"device", answer.on}});
  std::size_t widest = 0;
  for (const Algorithm& a : answer.algorithms) widest = std::max(widest, a.name.size());
  for (std::size_t i = 0; i < answer.algorithms.size(); ++i) {
    const Algorithm& a = answer.algorithms[i];
    fmt::print("  {:>2}  {:<{}}  {:>10}", i + 1, a.name, widest, lab::byte_count(a.workspace));
    if (!answer.timings.empty()) fmt::print("  {:<36}", time_of(answer, i, flags, strings));
    if (!a.origin.empty()) fmt::print("  {:<9}", a.origin);
    for (const std::string& note : a.notes) fmt::print("  {}", note);
    fmt::print("  {}\n", a.settings);
  }
  const auto unsteady = std::ranges::count_if(answer.timings, [](const auto& timing) {
    return timing && device::is_unsteady(timing->p20, timing->p80);
  });
  if (unsteady > 0) say("cli.engines.unsteady", {{"count", std::to_string(unsteady)}});
  if (answer.left_out > 0)
    say("cli.engines.left-out", {{"count", std::to_string(answer.left_out)}});
  if (answer.over_cap > 0) {
    say("cli.engines.over-cap", {{"count", std::to_string(answer.over_cap)},
                                 {"bytes", lab::byte_count(flags.workspace_cap)}});
  }
  if (answer.refused > 0) say("cli.engines.refused", {{"count", std::to_string(answer.refused)}});
  if (answer.error) fmt::print("  {}\n", strings(*answer.error));
}

int engines(const EnginesFlags& flags) {
  const auto strings = flags.language.strings();
  const auto problem = problem_of(flags);
  if (!problem) return complain(problem.error(), strings.get());
  const auto described = describe(flags.gpu);
  if (!described) return complain(described.error(), strings.get());

  const bool here = flags.gpu == kHere;
  if (!flags.no_time && isatty(STDERR_FILENO) != 0)
    fmt::print(stderr, "{}\n", (*strings)("cli.engines.asking"));
  std::vector<Answer> answers;
  answers.push_back(ask(Kind::cudnn, *problem, {described->json}, here && !flags.no_time, flags));
  if (!here) {
    answers.back().on = described->name;
    answers.back().how = described->how;
  }
  answers.push_back(ask(Kind::onednn, *problem, {}, !flags.no_time, flags));

  if (flags.json) {
    json libraries = json::array();
    for (const Answer& answer : answers) libraries.push_back(to_json(answer, flags));
    fmt::print("{}\n", json{{"problem", to_json(*problem)}, {"libraries", libraries}}.dump(2));
  } else {
    const Problem& p = *problem;
    const auto pair = [](const Along& a) {
      return a.h == a.w ? std::to_string(a.h) : fmt::format("{}x{}", a.h, a.w);
    };
    fmt::print(
        "{}\n",
        (*strings)(
            p.groups == 1 ? "cli.engines.problem" : "cli.engines.problem-grouped",
            {{"pass", device::Message{"algorithms.pass." + std::string(name_of(p.pass)), {}, {}}},
             {"precision", std::string(name_of(p.precision))},
             {"layout", std::string(name_of(p.layout))},
             {"image", flags.shape},
             {"filters", fmt::format("{}", fmt::join(filters_of(p).extents(), "x"))},
             {"groups", std::to_string(p.groups)},
             {"stride", pair(p.stride)},
             {"pad", pair(p.pad)},
             {"dilation", pair(p.dilation)},
             {"work", lab::grouped(static_cast<std::uint64_t>(multiply_adds(p)))}}));
    for (const Answer& answer : answers) print(answer, flags, *strings);
  }
  // One library that answers is enough; an absent one is a sentence.
  for (const Answer& answer : answers) {
    if (!answer.error) return kDone;
  }
  return exit_code_of(answers.front().error->code);
}

}  // namespace

void add_engines(CommandLine& line) {
  auto flags = std::make_shared<EnginesFlags>();
  Verb verb = line.add("engines", "List the libraries' algorithms for a convolution");
  verb.option("operation", flags->operation, "conv").required().one_of({"conv"});
  verb.option("--shape", flags->shape, "The images: NxCxHxW").required();
  verb.option("--filters", flags->filters,
              "The filters: KxRxS or KxCxRxS, with the channels of one group")
      .required();
  verb.option("--gpu", flags->gpu,
              gpu_help("The GPU described to cuDNN") + ", or here: this machine's own");
  verb.option(
      "--groups", flags->groups,
      "Parts that channels and filters are cut into (default: 1); as many as channels: depthwise");
  verb.option("--stride", flags->stride, "N or HxW (default: 1)");
  verb.option("--pad", flags->pad, "N or HxW (default: 0)");
  verb.option("--dilation", flags->dilation, "N or HxW (default: 1)");
  verb.option("--layout", flags->layout, "nchw (default) or nhwc").one_of({"nchw", "nhwc"});
  verb.option("--pass", flags->pass, "forward (default), data or filter: the gradient of which")
      .one_of({"forward", "data", "filter"});
  verb.option("--precision", flags->precision,
              "fp32 (default; no tensor cores), tf32 (they are allowed), fp16 or bf16")
      .one_of({"fp32", "tf32", "fp16", "bf16"});
  verb.option("--workspace-cap", flags->workspace_cap,
              "Leave out what needs a larger workspace, in bytes");
  verb.option("--time-limit", flags->time_limit,
              "Stop an algorithm that runs for longer, in seconds (default: 2)")
      .between(0.01, 600);
  verb.flag("--no-time", flags->no_time, "List only");
  flags->language.add_to(verb);
  verb.flag("--json", flags->json, "As JSON");
  verb.does([flags] { return engines(*flags); });
}

}  // namespace warpbook::cli
