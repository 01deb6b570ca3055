// A ladder as JSON: what `warpbook ladder --json` prints. Its form is lab/render/ladder.schema.json.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "lab/ladder/ladder.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// The document, but for what libraries have. Texts are English.
struct LadderDocument {
  struct Failure {
    Caught caught = Caught::other;
    std::string inputs, text;
    std::optional<device::Error> error;
  };
  struct Output {
    std::string name, tolerance;
    std::uint64_t elements = 0, bad = 0;
    double relative_l2 = 0;
    std::uint64_t worst_index = 0;
    double worst_error = 0;
  };
  struct Check {
    bool passed = false;
    std::string failed_at;  ///< empty: at no other size than was asked for
    std::vector<Failure> failures;
    std::vector<Output> outputs;
  };
  struct Launch {
    std::string kernel;
    device::Dim3 grid, block;
    std::uint32_t static_shared = 0, dynamic_shared = 0;
    device::Counters counters;
  };
  struct Run {
    static constexpr std::string_view kSchemaName = "run";
    std::uint32_t number = 0;
    std::string name, file, idea;
    Check check;
    device::Counters counters;
    std::vector<Launch> launches;
    std::optional<std::uint32_t> registers;
    std::int64_t bytes = 0, flops = 0;
    std::optional<LadderTime> estimate, record;
  };
  struct LeftOut {
    static constexpr std::string_view kSchemaName = "left_out";
    std::uint32_t number = 0;
    std::string name, file, idea, left_out;
  };
  static constexpr std::string_view kSchemaName = "ladder";
  static constexpr int kVersion = 2;  ///< of the form
  std::string operation;
  std::map<std::string, std::variant<std::int64_t, double>> size;
  std::vector<std::string> defines, also_checked;
  std::string device;
  device::Evidence counted;
  bool passed = false;
  std::vector<std::variant<Run, LeftOut>> rungs;
  std::string libraries_tolerance;
  std::vector<device::Error> errors;
};

template <class V>
void fields(V&& visit, Is<LadderDocument::Failure> auto& v) {
  visit("caught", v.caught);
  visit("inputs", v.inputs);
  visit("text", v.text);
  visit("error", v.error);
}
template <class V>
void fields(V&& visit, Is<LadderDocument::Output> auto& v) {
  visit("name", v.name);
  visit("tolerance", v.tolerance);
  visit("elements", v.elements);
  visit("bad", v.bad);
  visit("relative_l2", v.relative_l2);
  visit("worst_index", v.worst_index);
  visit("worst_error", v.worst_error);
}
template <class V>
void fields(V&& visit, Is<LadderDocument::Check> auto& v) {
  visit("passed", v.passed);
  visit("failed_at", v.failed_at);
  visit("failures", v.failures);
  visit("outputs", v.outputs);
}
template <class V>
void fields(V&& visit, Is<LadderDocument::Launch> auto& v) {
  visit("kernel", v.kernel);
  visit("grid", v.grid);
  visit("block", v.block);
  visit("static_shared", v.static_shared);
  visit("dynamic_shared", v.dynamic_shared);
  visit("counters", v.counters);
}
template <class V>
void fields(V&& visit, Is<LadderDocument::Run> auto& v) {
  visit("number", v.number);
  visit("name", v.name);
  visit("file", v.file);
  visit("idea", v.idea);
  visit("check", v.check);
  visit("counters", v.counters);
  visit("launches", v.launches);
  visit("registers", v.registers);
  visit("bytes", v.bytes);
  visit("flops", v.flops);
  visit("estimate", v.estimate);
  visit("record", v.record);
}
template <class V>
void fields(V&& visit, Is<LadderDocument::LeftOut> auto& v) {
  visit("number", v.number);
  visit("name", v.name);
  visit("file", v.file);
  visit("idea", v.idea);
  visit("left_out", v.left_out);
}
template <class V>
void fields(V&& visit, Is<LadderDocument> auto& v) {
  visit("operation", v.operation);
  visit("size", v.size);
  visit("defines", v.defines);
  visit("also_checked", v.also_checked);
  visit("device", v.device);
  visit("counted", v.counted);
  visit("passed", v.passed);
  visit("rungs", v.rungs);
  visit("libraries_tolerance", v.libraries_tolerance);
  visit("errors", v.errors);
}

/// `english` for what the checks say.
nlohmann::json to_json(const Ladder& ladder, const Strings& english);

}  // namespace warpbook::lab
