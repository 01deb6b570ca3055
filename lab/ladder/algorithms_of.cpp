#include "lab/ladder/algorithms_of.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <span>

#include <fmt/format.h>

#include "device/device.hpp"
#include "device/libraries/described_gpu.hpp"
#include "lab/ladder/ladder.hpp"
#include "lab/report/binary.hpp"

namespace warpbook::lab {
namespace {

using device::Error;
using device::ErrorCode;
using device::EvidenceKind;
using device::Expected;
using device::TimeLimits;
using device::libraries::Activation;
using device::libraries::Algorithm;
using device::libraries::Along;
using device::libraries::Client;
using device::libraries::describe;
using device::libraries::DescribedGpu;
using device::libraries::Shape;
using LibraryKind = device::libraries::Kind;
using device::libraries::Problem;
using device::libraries::ProblemKind;
using Group = AlgorithmsExhibit::Group;
using AlgorithmsRow = AlgorithmsExhibit::Row;

constexpr std::size_t kMostRemembered = 64;

/// Groups that were made in this process, the oldest first.
class Remembered {
 public:
  struct Key {
    LibraryKind kind = LibraryKind::cudnn;
    Problem problem;
    std::string gpu;
    bool times = false, references = false;
    double longest = 0;
    std::array<double, 3> limits{};
    std::uint64_t cap = 0;
    std::uint64_t truth = 0;  ///< its hash: the numbers themselves may be many
    friend bool operator==(const Key&, const Key&) = default;
  };

  std::optional<Group> find(const Key& key) {
    const std::lock_guard lock(mutex_);
    for (const auto& [known, group] : groups_) {
      if (known == key) return group;
    }
    return std::nullopt;
  }
  void keep(const Key& key, const Group& group) {
    const std::lock_guard lock(mutex_);
    if (groups_.size() == kMostRemembered) groups_.erase(groups_.begin());
    groups_.emplace_back(key, group);
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<Key, Group>> groups_;
};

Remembered& remembered() {
  static Remembered groups;
  return groups;
}

/// 0 where there is none.
std::uint64_t hash_of(const LibraryTruth* truth) {
  if (truth == nullptr) return 0;
  std::uint64_t hash = checksum(std::as_bytes(std::span(truth->output)));
  for (const std::vector<float>& input : truth->inputs)
    hash = hash * 0x9E3779B97F4A7C15ull + checksum(std::as_bytes(std::span(input)));
  if (truth->tolerance) {
    const std::string& said = truth->tolerance->text;
    hash = hash * 0x9E3779B97F4A7C15ull + checksum(std::as_bytes(std::span(said)));
  }
  return hash | 1;
}

/// A library that is not here may be installed meanwhile, and one that died may live: neither is remembered.
bool stays_so(const Group& group) {
  return !group.error || group.error->code == ErrorCode::library_refused ||
         group.error->code == ErrorCode::workspace_too_small;
}

double largest_difference(const auto& got, std::span<const double> truth) {
  double largest = got.size() == truth.size() ? 0 : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < std::min(got.size(), truth.size()); ++i) {
    const double value = got[i];
    if (value == truth[i] || (std::isnan(value) && std::isnan(truth[i]))) continue;
    const double off = std::fabs(value - truth[i]);
    if (std::isnan(off)) return off;
    largest = std::max(largest, off);
  }
  return largest;
}

/// Transforms add before they multiply, so their rounding is not that of sums of products.
bool transforms(const AlgorithmsRow& row) {
  return row.name.find("wino") != std::string::npos ||
         std::ranges::any_of(row.notes, [](const std::string& note) {
           return note.starts_with("WINOGRAD") || note == "FFT";
         });
}

/// What a result is called: within the rungs' own tolerance, less exact than they may be, or further off than even TF32 would be.
const char* verdict_on(const AlgorithmsRow& row, const std::vector<float>& result,
                       const LibraryTruth& truth) {
  if (result.size() != truth.output.size()) return "WRONG";
  Tolerance tolerance = *truth.tolerance;
  if (tolerance.kind == Tolerance::Kind::products && transforms(row))
    tolerance = *parse_tolerance("winograd");
  // The same number: which sign a zero has, or which NaN it is, no library promises.
  if (tolerance.kind == Tolerance::Kind::bitwise) tolerance.kind = Tolerance::Kind::absolute;
  TensorExhibit got;
  got.type = device::ElementType::f32;
  got.shape = {result.size()};
  const auto bytes = std::as_bytes(std::span(result));
  got.data.assign(bytes.begin(), bytes.end());
  const Truth expected{truth.output, truth.magnitudes, truth.products};
  if (deviation(got, expected, tolerance, truth.depth).passed()) return "RIGHT";
  const Tolerance loosest = *parse_tolerance("tf32");
  return deviation(got, expected, loosest, truth.depth).passed() ? "BEYOND" : "WRONG";
}

AlgorithmsRow row_of(const LibraryAnswer& answer, std::size_t i, double longest) {
  const Algorithm& algorithm = answer.algorithms[i];
  AlgorithmsRow row;
  row.name = algorithm.name;
  row.settings = algorithm.settings;
  row.origin = algorithm.origin;
  row.workspace = algorithm.workspace;
  row.notes = algorithm.notes;
  if (i >= answer.timings.size() || !answer.tried[i]) return row;
  if (const auto& timing = answer.timings[i])
    row.time = {timing->median, timing->p20, timing->p80, timing->samples};
  else
    row.stopped = longest;
  return row;
}

/// Where names, workspaces and times come from: a clock where there is a time; the library where a GPU was described to
/// it. A list that asks no GPU has no badge.
std::optional<device::Evidence> evidence_of(const LibraryAnswer& answer, const Problem& problem,
                                            const DescribedGpu& gpu) {
  if (!answer.on.empty())
    return device::Evidence{EvidenceKind::measured, Message::plain(answer.on), {}};
  const bool listed_for_gpu = answer.kind != LibraryKind::onednn &&
                              problem.kind == ProblemKind::convolution && !gpu.json.empty();
  if (!listed_for_gpu || answer.algorithms.empty()) return std::nullopt;
  return device::Evidence{EvidenceKind::reported, Message::plain(gpu.name), {}};
}

Message why_untimed(const LibraryAnswer& answer, const AlgorithmsRequest& request,
                    const DescribedGpu& gpu) {
  if (!answer.on.empty() || answer.algorithms.empty()) return {};
  if (answer.kind == LibraryKind::onednn || gpu.json.empty())
    return request.times ? Message{} : Message{"algorithms.untimed.asked", {}, {}};
  if (request.problem.kind != ProblemKind::convolution) return {"algorithms.untimed.calls", {}, {}};
  return {"algorithms.untimed.described", {{"gpu", gpu.name}}, {}};
}

/// `gpu`: described to NVIDIA's libraries; without a description they take the one that is present.
Group ask_for_group(LibraryKind kind, const AlgorithmsRequest& request, const DescribedGpu& gpu,
                    const std::stop_token& stop) {
  const bool runs_here = kind == LibraryKind::onednn || gpu.json.empty();
  Client client(kind);
  LibraryQuestion question;
  question.kind = kind;
  question.problem = request.problem;
  if (!runs_here) question.target = {gpu.json};
  question.workspace_cap = request.workspace_cap;
  question.times = request.times && runs_here;
  question.time_references = request.time_references;
  question.longest = request.longest;
  question.limits = request.limits;
  const LibraryAnswer answer = ask_library(question, client, stop);

  Group group;
  std::string name(name_of(kind));
  if (answer.identity) name += " " + answer.identity->version;
  group.name = Message::plain(std::move(name));
  group.evidence = evidence_of(answer, request.problem, gpu);
  if (group.evidence && group.evidence->kind == EvidenceKind::reported) group.description = gpu.how;
  group.left_out = answer.left_out;
  group.refused = answer.refused;
  group.over_cap = answer.over_cap;
  group.cap = answer.over_cap == 0 ? 0 : request.workspace_cap;
  group.untimed = why_untimed(answer, request, gpu);
  group.error = answer.error;
  const std::stop_callback kill(stop, [&client] { client.cancel(); });
  for (std::size_t i = 0; i < answer.algorithms.size(); ++i) {
    AlgorithmsRow row = row_of(answer, i, request.longest);
    if (row.time && request.truth && !stop.stop_requested()) {
      const auto result = client.run(request.problem, answer.indices[i], request.truth->inputs);
      if (result) judge(row, *result, *request.truth);
    }
    group.rows.push_back(std::move(row));
  }
  return group;
}

std::string extents_text(const Shape& s) { return fmt::format("{}x{}x{}x{}", s.n, s.c, s.h, s.w); }
std::string along_text(const Along& a) {
  return a.h == a.w ? std::to_string(a.h) : fmt::format("{}x{}", a.h, a.w);
}

std::string_view function_of(const Problem& problem) {
  switch (problem.activation) {
    case Activation::relu: return "ReLU";
    case Activation::sigmoid: return "sigmoid";
    case Activation::tanh: return "tanh";
    case Activation::gelu: return "GELU";
  }
  __builtin_unreachable();
}

Message in_words(const Problem& p) {
  const char* const kind = p.groups == 1 ? "" : "-grouped";
  return {"algorithms.problem." + std::string(name_of(p.kind)) + kind,
          {{"pass", Message{"algorithms.pass." + std::string(name_of(p.pass)), {}, {}}},
           {"precision", std::string(name_of(p.precision))},
           {"layout", std::string(name_of(p.layout))},
           {"function", std::string(function_of(p))},
           {"image", extents_text(p.image)},
           {"filters", extents_text(filters_of(p))},
           {"groups", std::to_string(p.groups)},
           {"window", along_text(p.window)},
           {"stride", along_text(p.stride)},
           {"pad", along_text(p.pad)},
           {"dilation", along_text(p.dilation)},
           {"m", std::to_string(p.m)},
           {"n", std::to_string(p.n)},
           {"k", std::to_string(p.k)},
           {"work", grouped(static_cast<std::uint64_t>(multiply_adds(p)))}},
          {}};
}

}  // namespace

void judge(AlgorithmsRow& row, const std::vector<float>& result, const LibraryTruth& truth) {
  row.off = largest_difference(result, truth.output);
  if (!truth.tolerance) return;
  row.notes.emplace_back(verdict_on(row, result, truth));
  if (row.notes.back() == "WRONG") row.time.reset();
}

Expected<AlgorithmsExhibit> algorithms_of(const AlgorithmsRequest& request,
                                          const std::stop_token& stop) {
  if (auto good = check(request.problem); !good) return tl::unexpected(good.error());
  const auto gpu = describe(request.gpu);
  if (!gpu) return tl::unexpected(gpu.error());

  AlgorithmsExhibit made;
  made.problem = in_words(request.problem);
  std::vector<LibraryKind> kinds;
  if (request.nvidia)
    kinds.push_back(request.problem.kind == ProblemKind::matmul ? LibraryKind::cublas
                                                                : LibraryKind::cudnn);
  if (request.onednn) kinds.push_back(LibraryKind::onednn);
  const TimeLimits& limits = request.limits;
  for (const LibraryKind kind : kinds) {
    const bool nvidia = kind != LibraryKind::onednn;
    const Remembered::Key key{kind,
                              request.problem,
                              nvidia ? request.gpu : std::string(),
                              request.times,
                              request.time_references,
                              request.longest,
                              {limits.warm_seconds, limits.noise, limits.most_seconds},
                              request.workspace_cap,
                              hash_of(request.truth.get())};
    if (auto known = remembered().find(key)) {
      made.groups.push_back(std::move(*known));
      continue;
    }
    Group group = ask_for_group(kind, request, *gpu, stop);
    if (stop.stop_requested()) return device::failure(ErrorCode::cancelled);
    if (stays_so(group)) remembered().keep(key, group);
    made.groups.push_back(std::move(group));
  }
  return made;
}

Group own_kernels(const std::string& gpu) {
  Group group;
  group.name = {"algorithms.own", {}, {}};
  group.evidence = device::Evidence{EvidenceKind::estimated, Message::plain(gpu), {}};
  return group;
}

AlgorithmsRow own_row(const Operation& operation, const Rung& rung,
                      const std::map<std::string, std::int64_t>& scalars, const RungResult& result,
                      std::span<const double> truth) {
  std::map<std::string, std::int64_t> all = scalars;
  if (const auto error = add_values(operation, all)) throw ExperimentFailed{*error, {}};
  const auto names = names_of(rung, all);
  AlgorithmsRow row;
  row.name = rung.name;
  for (const Workspace& workspace : rung.workspaces) {
    std::uint64_t bytes = device::size_of(workspace.type);
    for (const std::uint64_t extent :
         shape_of(workspace.shape, workspace.type, names, workspace.name, rung.name))
      bytes *= extent;
    row.workspace += bytes;
  }
  if (const auto time = estimate_of(result.records))
    row.time = {time->seconds, time->low, time->high, 1};
  if (!truth.empty()) {
    const TensorExhibit& output = result.outputs.begin()->second;
    std::vector<double> got(count(output));
    for (std::size_t i = 0; i < got.size(); ++i) got[i] = element(output, i);
    row.off = largest_difference(got, truth);
  }
  return row;
}

}  // namespace warpbook::lab
