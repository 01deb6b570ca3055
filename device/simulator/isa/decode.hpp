// From parsed PTX to Code: chooses handlers, lays out call frames, and divides functions into basic blocks.
#pragma once

#include <compare>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "device/error.hpp"
#include "device/simulator/isa/code.hpp"
#include "device/simulator/isa/key.hpp"
#include "device/simulator/ptx/module.hpp"
#include "device/types.hpp"

namespace warpbook::device::isa {

/// Where the loader put the module's variables.
struct Placement {
  std::vector<Pointer> variables;  ///< by Module::variables; 0 for .shared
};

/// The address of a function (kFunctionWindow and up).
Pointer address_of_function(std::uint32_t source);

/// The place of an instruction in the source, with the PTX line where the source is unknown. Of code inlined from a
/// library's header, the place in the author's own files that it was inlined at.
SourcePlace place_of(const ptx::Module& module, const ptx::Instruction& instruction);
/// The place at which the instruction itself was written, in the author's files or in a library's.
SourcePlace innermost_place_of(const ptx::Module& module, const ptx::Instruction& instruction);

/// As place_of(), but the caller's place where functions of CUDA's own headers were inlined.
SourcePlace place_in_program(const ptx::Module& module, const ptx::Instruction& instruction);

/// The forms in which code can be decoded.
struct CodeForm {
  bool split = false;    ///< ends blocks after memory operations, where --seed may part fragments
  bool perturb = false;  ///< approximate instructions deviate (Launch::perturb_approximations)
  friend auto operator<=>(const CodeForm&, const CodeForm&) = default;
};

/// Decodes module.functions[kernel] and all that it can reach. ptx_unsupported, ptx_unresolved at the source line.
Expected<std::shared_ptr<const Code>> decode(const ptx::Module& module, std::uint32_t kernel,
                                             const Placement& placement,
                                             const HandlerBuild& handlers, CodeForm form);

/// Functions of the module that `kernel` can reach, itself first, each once.
std::vector<std::uint32_t> reachable_functions(const ptx::Module& module, std::uint32_t kernel);

/// Bytes of static shared memory of a kernel, and the offset of each shared variable of the module or of a function.
struct SharedLayout {
  std::uint32_t static_bytes = 0, dynamic_offset = 0;
  std::unordered_map<const ptx::Variable*, std::uint32_t> places;
  [[nodiscard]] std::uint32_t offset_of(const ptx::Variable* variable) const;
};
SharedLayout lay_shared_out(const ptx::Module& module, const std::vector<std::uint32_t>& functions);

}  // namespace warpbook::device::isa
