#include "lab/markup/json_parts.hpp"

#include <cmath>

#include <fmt/format.h>

#include "lab/model/report.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {

using nlohmann::json;

json json_text(std::string_view text) { return valid_utf8(text); }

json json_number(double value) { return std::isfinite(value) ? json(value) : json(number(value)); }

json json_of(const device::SourcePlace& place) {
  return {{"file", json_text(place.file)}, {"line", place.line}, {"column", place.column}};
}

json json_of(const device::Dim3& dim) { return json::array({dim.x, dim.y, dim.z}); }

json json_of(const device::Evidence& evidence) {
  return {{"kind", name_of(evidence.kind)},
          {"on", json_text(evidence.on)},
          {"when", json_text(evidence.when)}};
}

json json_of(const device::Counters& counters) {
  json object = json::object();
  for_each_counter(counters, [&](std::string_view name, std::uint64_t value) {
    object[std::string(name)] = value;
  });
  return object;
}

namespace {

json instruction_json(const device::SassInstruction& one, bool counted) {
  const auto barrier = [](std::uint8_t number) {
    return number == device::SassInstruction::kNoBarrier ? json(nullptr) : json(number);
  };
  json waits = json::array();
  for (int bit = 0; bit < 8; ++bit) {
    if ((one.wait_mask >> bit & 1) != 0) waits.push_back(bit);
  }
  return {{"address", one.address},
          {"text", json_text(one.text)},
          {"ptx_line", one.ptx_line},
          {"line", one.line},
          {"stall", one.stall},
          {"waits", std::move(waits)},
          {"write_barrier", barrier(one.write_barrier)},
          {"read_barrier", barrier(one.read_barrier)},
          {"executed", counted ? json_number(one.executed) : json(nullptr)}};
}

}  // namespace

json json_of(const device::Sass& sass) {
  json functions = json::array();
  for (const device::SassFunction& function : sass.functions) {
    json instructions = json::array(), opcodes = json::object();
    for (const device::SassInstruction& one : function.instructions)
      instructions.push_back(instruction_json(one, function.counted));
    for (const auto& [opcode, count] : device::opcodes_of(function))
      opcodes[valid_utf8(opcode)] = count;
    functions.push_back({{"mangled", json_text(function.mangled)},
                         {"name", json_text(function.name)},
                         {"opcodes", std::move(opcodes)},
                         {"instructions", std::move(instructions)}});
  }
  return {
      {"architecture", sass.architecture},
      {"disassembler", sass.disassembler.empty() ? json(nullptr) : json_text(sass.disassembler)},
      {"why", sass.why ? to_json(*sass.why) : json(nullptr)},
      {"functions", std::move(functions)}};
}

std::string_view name_of(CheckExhibit::State state) {
  switch (state) {
    case CheckExhibit::State::passed: return "passed";
    case CheckExhibit::State::failed: return "failed";
    case CheckExhibit::State::warning: return "warning";
    case CheckExhibit::State::waiting: return "waiting";
  }
  __builtin_unreachable();
}

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace warpbook::lab
