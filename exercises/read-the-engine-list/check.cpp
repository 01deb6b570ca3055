// read-the-engine-list: four requests to cuDNN, told by the list that it gives for each, not by what they say.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"
#include "lab/ladder/algorithms_of.hpp"
#include "lab/text/toml_value.hpp"

namespace warpbook::exercises {
namespace read_the_engine_list_check {

namespace libraries = device::libraries;
using Item = lab::CheckExhibit::Item;
using State = lab::CheckExhibit::State;
using Row = lab::AlgorithmsExhibit::Row;
using Layout = libraries::Layout;
using Precision = libraries::Precision;

const std::string kWords = "read-the-engine-list.";
constexpr const char* kGpu = "h200";
constexpr std::uint64_t kLittle = 64 * 1024;  ///< bytes
constexpr const char* kTensorCores = "TENSOR_CORE";
/// The engine that writes im2col's matrix into its workspace and multiplies it.
constexpr const char* kMatrixEngine = "engine 2";

struct Request {
  Layout layout = Layout::nchw;
  Precision precision = Precision::fp32;
  std::uint64_t workspace = 0;  ///< bytes that an engine may have at most
  std::uint32_t line = 0;       ///< of its table
};

/// The layer of the task: 16 images of 64 x 56 x 56, 64 filters of 3 x 3, padding 1.
libraries::Problem problem_of(const Request& request) {
  libraries::Problem problem;
  problem.layout = request.layout;
  problem.precision = request.precision;
  problem.image = {16, 64, 56, 56};
  problem.filters = 64;
  problem.window = {3, 3};
  problem.pad = {1, 1};
  return problem;
}

/// What cuDNN lists for it. Throws ExperimentFailed where there is no cuDNN to ask.
std::vector<Row> engines_of(const Request& request) {
  lab::AlgorithmsRequest asked;
  asked.problem = problem_of(request);
  asked.gpu = kGpu;
  asked.onednn = false;
  asked.times = false;
  asked.workspace_cap = request.workspace;
  const lab::AlgorithmsExhibit made = lab::require(lab::algorithms_of(asked));
  const lab::AlgorithmsExhibit::Group& group = made.groups.front();
  if (group.error && group.error->code != device::ErrorCode::workspace_too_small)
    throw lab::ExperimentFailed{*group.error, {}};
  return group.rows;
}

bool on_tensor_cores(const Row& row) {
  return std::ranges::find(row.notes, kTensorCores) != row.notes.end();
}
/// Any of the rows that `is`; the one with the least workspace.
template <class Is>
std::optional<Row> least(const std::vector<Row>& rows, Is&& is) {
  std::optional<Row> found;
  for (const Row& row : rows) {
    if (is(row) && (!found || row.workspace < found->workspace)) found = row;
  }
  return found;
}

std::optional<Request> read_request(lab::TomlReader& outer, const char* name) {
  const lab::TomlValue* table = outer.any(name);
  if (table == nullptr || !std::holds_alternative<lab::TomlTable>(table->value)) {
    outer.refuse(name, table ? lab::describe(*table) : lab::toml_phrase("absent"),
                 lab::toml_phrase("table-of-keys",
                                  {{"name", name},
                                   {"keys", lab::listed({"layout", "precision", "workspace"})}}));
    return std::nullopt;
  }
  lab::TomlReader reader(name, *table, outer.file());
  Request request;
  request.line = table->line;
  const std::string layout = reader.text("layout"), precision = reader.text("precision");
  if (!layout.empty() && !libraries::parse(layout, request.layout))
    reader.refuse("layout", lab::in_quotes(layout), lab::one_of_quoted({"nchw", "nhwc"}));
  if (!precision.empty() && !libraries::parse(precision, request.precision))
    reader.refuse("precision", lab::in_quotes(precision),
                  lab::one_of_quoted({"fp32", "tf32", "fp16", "bf16"}));
  const std::int64_t workspace = reader.integer("workspace");
  if (workspace < 0) {
    reader.refuse("workspace", lab::Message::plain(std::to_string(workspace)),
                  lab::toml_phrase("bytes-from-zero"));
  }
  request.workspace = static_cast<std::uint64_t>(workspace);
  if (auto error = reader.finish()) {
    outer.keep(std::move(*error));
    return std::nullopt;
  }
  return request;
}

/// Of the gate `id`: what its request asks for and what the list says to it.
class Answer {
 public:
  Answer(const std::string& id, const Request& request)
      : rows(engines_of(request)), item_{id, State::passed, words(id, "sentence")} {
    item_.line = request.line;
    const auto on_cores = std::ranges::count_if(rows, on_tensor_cores);
    arguments_ = {{"engines", std::to_string(rows.size())},
                  {"tensor_cores", std::to_string(on_cores)},
                  {"layout", std::string(libraries::name_of(request.layout))},
                  {"precision", std::string(libraries::name_of(request.precision))},
                  {"workspace", lab::grouped(request.workspace)}};
  }

  /// The first thing that does not hold is the one next thing to say.
  void demand(bool holds, const char* advice, lab::MessageArguments more = {}) {
    if (holds || item_.state == State::failed) return;
    item_.state = State::failed;
    std::ranges::copy(arguments_, std::back_inserter(more));
    item_.advice = words(item_.id, advice, std::move(more));
  }
  Item item() {
    if (item_.state == State::passed) item_.line = 0;
    item_.got = words("any", "got", arguments_);
    return item_;
  }

  const std::vector<Row> rows;

 private:
  static lab::Message words(const std::string& id, const std::string& what,
                            lab::MessageArguments arguments = {}) {
    return {kWords + id + "." + what, std::move(arguments), {}};
  }

  Item item_;
  lab::MessageArguments arguments_;
};

bool keeps_fp32(const Request& request) {
  return request.precision == Precision::fp32 || request.precision == Precision::tf32;
}

/// Tensor cores for FP32 tensors that stand as NCHW, with no more workspace than they take.
Item tensor_cores(const Request& request) {
  Answer answer("tensor-cores", request);
  answer.demand(request.layout == Layout::nchw, "layout");
  answer.demand(keeps_fp32(request), "halves");
  const auto used = least(answer.rows, on_tensor_cores);
  answer.demand(used.has_value(), "none");
  if (used) {
    answer.demand(request.workspace <= used->workspace + used->workspace / 4, "generous",
                  {{"least", lab::grouped(used->workspace)}});
  }
  return answer.item();
}

/// The same with almost no workspace.
Item little_memory(const Request& request) {
  Answer answer("little-memory", request);
  answer.demand(keeps_fp32(request), "halves");
  answer.demand(request.workspace <= kLittle, "generous", {{"most", lab::grouped(kLittle)}});
  answer.demand(least(answer.rows, on_tensor_cores).has_value(), "none");
  return answer.item();
}

/// The engine with im2col's matrix, and not a byte more than it takes.
Item matrix(const Request& request) {
  Answer answer("matrix", request);
  answer.demand(request.precision == Precision::fp32, "rounded");
  const auto is_it = [](const Row& row) { return row.name == kMatrixEngine; };
  const auto used = least(answer.rows, is_it);
  answer.demand(used.has_value(), "none");
  if (used) {
    Request other = request;
    other.layout = request.layout == Layout::nchw ? Layout::nhwc : Layout::nchw;
    const auto elsewhere = least(engines_of(other), is_it);
    answer.demand(!elsewhere || used->workspace <= elsewhere->workspace, "larger",
                  {{"least", lab::grouped(used->workspace)}});
    answer.demand(request.workspace == used->workspace, "generous",
                  {{"least", lab::grouped(used->workspace)}});
  }
  return answer.item();
}

/// Half precision, and still no tensor cores.
Item lost(const Request& request) {
  Answer answer("lost", request);
  answer.demand(!keeps_fp32(request), "wide");
  answer.demand(!answer.rows.empty(), "nothing");
  answer.demand(!least(answer.rows, on_tensor_cores), "there");
  return answer.item();
}

void check(lab::Checker& checker) {
  Item reads{"reads", State::passed, {"read-the-engine-list.reads.sentence", {}, {}}};
  const auto fail = [&](const device::Error& error) {
    reads.state = State::failed;
    device::Error bare = error;
    bare.place = {};
    reads.got = lab::Message::plain(bare.english());
    reads.line = error.place.line;
    reads.advice = {"read-the-engine-list.reads.advice", {}, {}};
    checker.result.items = {reads};
  };
  const auto table = lab::parse_toml(checker.source, checker.file_name);
  if (!table) return fail(table.error());
  lab::TomlReader reader(checker.file_name, *table, checker.file_name);
  std::vector<std::pair<const char*, std::optional<Request>>> requests;
  for (const char* name : {"tensor-cores", "little-memory", "matrix", "lost"})
    requests.emplace_back(name, read_request(reader, name));
  if (const auto error = reader.finish()) return fail(*error);

  checker.result.items = {std::move(reads)};
  Item (*const judges[])(const Request&) = {tensor_cores, little_memory, matrix, lost};
  for (std::size_t i = 0; i < requests.size(); ++i) {
    checker.lab.progress(static_cast<double>(i) / 4, {"exercise.asking", {}, {}});
    checker.result.items.push_back(judges[i](*requests[i].second));
  }
}

}  // namespace read_the_engine_list_check

lab::Exercise read_the_engine_list() {
  return {"read-the-engine-list", read_the_engine_list_check::check};
}

}  // namespace warpbook::exercises
