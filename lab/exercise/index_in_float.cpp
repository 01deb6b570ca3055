#include "lab/exercise/index_in_float.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lab/model/ptx_words.hpp"

namespace warpbook::lab {
namespace {

/// What a register's value was computed from.
struct Origin {
  bool block = false, thread = false;  ///< the block's index, and the thread's within its block
  bool in_float = false;               ///< it depends on both, and was a float on its way

  void join(const Origin& other) {
    block |= other.block;
    thread |= other.thread;
    in_float |= other.in_float;
  }
  friend bool operator==(const Origin&, const Origin&) = default;
};

using Origins = std::map<std::string, Origin, std::less<>>;

/// "f32" of "cvt.rn.f32.s32", of "add.rn.f32" and of "mov.f32": a conversion names the type of its result first.
bool makes_float(const PtxWords& words) {
  const std::string_view opcode = words.opcode;
  if (!opcode.starts_with("cvt.")) return words.has("f32");
  const std::size_t type = opcode.find(".f32");
  return type != opcode.npos && type + 4 < opcode.size();
}

Origin origin_of(const std::vector<std::string>& registers, const Origins& known) {
  Origin origin;
  for (const std::string& name : registers) {
    if (name == "%ctaid") origin.block = true;
    if (name == "%tid") origin.thread = true;
    if (const auto found = known.find(name); found != known.end()) origin.join(found->second);
  }
  return origin;
}

/// Whether the result is computed from the operands' values, and neither fetched from memory nor a predicate.
bool computes(const PtxWords& words) {
  const std::string_view opcode = words.opcode;
  const bool fetches = opcode.starts_with("ld.") || opcode.starts_with("atom.") ||
                       opcode.starts_with("tex.") || opcode.starts_with("call");
  return words.operands.size() > 1 && writes_register(words) && !fetches &&
         !opcode.starts_with("setp.");
}

/// The registers of an address in global memory; none of any other instruction.
std::vector<std::string> global_address(const PtxWords& words) {
  const std::string_view opcode = words.opcode;
  const bool loads = opcode.starts_with("ld.") || opcode.starts_with("atom."),
             stores = opcode.starts_with("st.") || opcode.starts_with("red.");
  for (const std::string_view elsewhere : {"shared", "local", "param", "const"}) {
    if (words.has(elsewhere)) return {};
  }
  const std::size_t place = loads ? 1 : 0;
  return (loads || stores) && place < words.operands.size() ? words.operands[place]
                                                            : std::vector<std::string>();
}

}  // namespace

std::uint32_t line_of_index_in_float(const device::LaunchRecord& record) {
  std::vector<PtxWords> instructions;
  for (const device::InstructionCounters& each : record.instructions)
    instructions.push_back(ptx_words(each.text));
  Origins known;
  // A loop carries values back, so that one pass may not be enough.
  for (bool again = true; again;) {
    again = false;
    for (const PtxWords& words : instructions) {
      if (!computes(words)) continue;
      Origin origin;
      for (std::size_t from = 1; from < words.operands.size(); ++from)
        origin.join(origin_of(words.operands[from], known));
      origin.in_float |= origin.block && origin.thread && makes_float(words);
      for (const std::string& result : words.operands.front()) {
        Origin& held = known[result];
        const Origin before = held;
        held.join(origin);
        again |= !(held == before);
      }
    }
  }
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    if (origin_of(global_address(instructions[i]), known).in_float)
      return record.instructions[i].place.line;
  }
  return 0;
}

}  // namespace warpbook::lab
