// The functions that a kernel can reach, and the offsets of its shared variables.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <unordered_set>

#include "device/simulator/isa/address_windows.hpp"
#include "device/simulator/isa/decode.hpp"

namespace warpbook::device::isa {
namespace {

using ptx::Operand;

constexpr int kInliningDepth =
    64;  ///< deeper than any compiler inlines; PTX written by hand could contain a cycle

/// Calls visit(operand) for every operand of a function, including those inside vectors and lists.
template <class Visit>
void for_each_operand(const ptx::Module& module, const ptx::Function& function, Visit&& visit) {
  const std::function<void(const Operand&)> walk = [&](const Operand& o) {
    visit(o);
    if (o.kind == Operand::Kind::vector || o.kind == Operand::Kind::list) {
      for (std::uint32_t i = 0; i < o.count; ++i) walk(module.operands[o.first + i]);
    }
  };
  for (const ptx::Instruction& instruction : function.instructions) {
    for (const Operand& o : module.operands_of(instruction)) walk(o);
  }
}

bool calls_through_registers(const ptx::Module& module, const ptx::Function& function) {
  return std::any_of(function.instructions.begin(), function.instructions.end(),
                     [&](const ptx::Instruction& i) {
                       const auto operands = module.operands_of(i);
                       return i.opcode == ptx::Word::call && operands.size() > 1 &&
                              operands[1].kind == Operand::Kind::reg;
                     });
}

/// A file below an include folder that holds CUDA's own headers, wherever a toolkit or a wheel put it.
bool is_below_headers_of_cuda(std::string_view file) {
  constexpr std::string_view kInclude = "/include/";
  for (std::size_t at = file.find(kInclude); at != file.npos; at = file.find(kInclude, at + 1)) {
    std::error_code unreadable;
    const std::filesystem::path folder = file.substr(0, at + kInclude.size());
    if (std::filesystem::exists(folder / "cuda_runtime_api.h", unreadable)) return true;
  }
  return false;
}

/// tex2D and its like are functions of a header that NVRTC makes up. atomicAdd, and what a launch from a kernel goes through, are
/// functions of CUDA's own headers, which nvcc finds from where it lies itself, bin/../include, or in a folder that it is given.
bool is_header_of_cuda(std::string_view file) {
  return file == "__nv_nvrtc_builtin_header.h" || file.ends_with("/cuda_device_runtime_api.h") ||
         file.ends_with("/cuda_runtime.h") || file.find("/bin/../") != file.npos ||
         file.starts_with("/usr/include/") || is_below_headers_of_cuda(file);
}

}  // namespace

Pointer address_of_function(std::uint32_t source) {
  return kFunctionWindow + 16 * (std::uint64_t{source} + 1);
}

std::vector<std::uint32_t> reachable_functions(const ptx::Module& module, std::uint32_t kernel) {
  std::vector<std::uint32_t> order{kernel};
  std::vector<bool> seen(module.functions.size());
  seen[kernel] = true;
  const auto reach = [&](std::string_view name) {
    const auto found = module.function_by_name.find(name);
    if (found == module.function_by_name.end() || seen[found->second]) return;
    // A kernel names another kernel to launch it, not to call it.
    if (module.functions[found->second].entry) return;
    seen[found->second] = true;
    order.push_back(found->second);
  };
  bool indirect = false;
  for (std::size_t next = 0; next < order.size(); ++next) {
    const ptx::Function& function = module.functions[order[next]];
    for_each_operand(module, function, [&](const Operand& o) {
      const bool names = o.kind == Operand::Kind::symbol ||
                         (o.kind == Operand::Kind::address && o.base == Operand::Kind::symbol);
      if (names && o.home == Operand::Home::function) reach(o.name);
    });
    for (const ptx::Table& table : function.tables) {
      for (const std::string_view name : table.functions) reach(name);
    }
    if (!indirect && calls_through_registers(module, function)) {
      // A call through a register may reach every function whose address is in a variable, as virtual functions do.
      indirect = true;
      for (const ptx::Variable& variable : module.variables) {
        for (const ptx::Variable::Address& a : variable.addresses) reach(a.symbol);
      }
    }
  }
  return order;
}

std::uint32_t SharedLayout::offset_of(const ptx::Variable* variable) const {
  const auto found = places.find(variable);
  return found == places.end() ? 0 : found->second;
}

SharedLayout lay_shared_out(const ptx::Module& module,
                            const std::vector<std::uint32_t>& functions) {
  SharedLayout layout;
  std::vector<const ptx::Variable*> fixed, open;
  std::unordered_set<const ptx::Variable*> known;
  const auto add = [&](const ptx::Variable* v) {
    if (v->space != ptx::StateSpace::shared) return;
    if (known.insert(v).second) (v->bytes == 0 ? open : fixed).push_back(v);
  };
  for (const std::uint32_t f : functions) {
    const ptx::Function& function = module.functions[f];
    for (const ptx::Variable& v : function.variables) add(&v);
    for_each_operand(module, function, [&](const Operand& o) {
      if (o.home == Operand::Home::module_variable) add(&module.variables[o.index]);
    });
  }
  constexpr std::uint64_t kMost =
      0x7fffff00;  // more than any GPU has, so that the launch is refused
  std::uint64_t at = 0;
  for (const ptx::Variable* v : fixed) {
    at = (at + v->alignment - 1) / v->alignment * v->alignment;
    layout.places.emplace(v, static_cast<std::uint32_t>(at));
    at = std::min(at + v->bytes, kMost);
  }
  layout.static_bytes = static_cast<std::uint32_t>(at);
  std::uint32_t alignment = 16;
  for (const ptx::Variable* v : open) alignment = std::max(alignment, v->alignment);
  layout.dynamic_offset = static_cast<std::uint32_t>((at + alignment - 1) / alignment * alignment);
  for (const ptx::Variable* v : open) layout.places.emplace(v, layout.dynamic_offset);
  return layout;
}

SourcePlace place_of(const ptx::Module& module, const ptx::Instruction& instruction) {
  std::uint32_t at = instruction.location;
  for (int depth = 0; at != ptx::kNone && depth < kInliningDepth; ++depth) {
    const ptx::Location& l = module.locations[at];
    const bool known = l.file != ptx::kNone && l.file < module.files.size() && l.line != 0;
    if (known &&
        std::ranges::find(module.own_files, module.files[l.file]) != module.own_files.end())
      return {module.files[l.file], l.line, l.column};
    at = l.inlined_at;
  }
  return innermost_place_of(module, instruction);
}

SourcePlace innermost_place_of(const ptx::Module& module, const ptx::Instruction& instruction) {
  if (instruction.location == ptx::kNone) return {"PTX", instruction.ptx_line, 0};
  const ptx::Location& location = module.locations[instruction.location];
  if (location.file == ptx::kNone || location.file >= module.files.size() || location.line == 0) {
    return {"PTX", instruction.ptx_line, 0};
  }
  return {module.files[location.file], location.line, location.column};
}

SourcePlace place_in_program(const ptx::Module& module, const ptx::Instruction& instruction) {
  ptx::Instruction at = instruction;
  SourcePlace place = place_of(module, at);
  for (int depth = 0; depth < 64 && is_header_of_cuda(place.file); ++depth) {
    at.location = module.locations[at.location].inlined_at;
    if (at.location == ptx::kNone) break;
    place = place_of(module, at);
  }
  return place;
}

}  // namespace warpbook::device::isa
