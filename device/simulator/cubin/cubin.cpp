// A cubin is an ELF64 file for machine 190 (EM_CUDA). Section .nv.info is a list of attributes: a
// format byte, an attribute byte and 16 bits that are the value itself, or for format 4 the bytes
// of a payload that follows. The attributes used here have a payload of two words, symbol index and
// value: 0x2f EIATTR_REGCOUNT, 0x11 EIATTR_FRAME_SIZE. The format is not documented by NVIDIA; the
// register count was found right for sm_75 to sm_120 with NVRTC 13.0.
#include "device/simulator/cubin/cubin.hpp"

#include <map>
#include <string_view>

#include "device/simulator/cubin/elf.hpp"
#include "device/simulator/cubin/machine_code.hpp"

namespace warpbook::device {
namespace {

constexpr std::uint32_t kSymbolTable = 2;  // SHT_SYMTAB
constexpr std::uint8_t kFormatPayload = 4;
constexpr std::uint8_t kRegisterCount = 0x2f;
constexpr std::uint8_t kFrameSize = 0x11;
constexpr std::uint8_t kFunction = 2;  // STT_FUNC

struct SymbolTable {
  Bytes symbols, names;

  [[nodiscard]] std::optional<std::string> function(std::uint32_t index) const {
    const auto symbol = symbols.at<ElfSymbol>(std::uint64_t{index} * sizeof(ElfSymbol));
    if (!symbol || (symbol->info & 0xf) != kFunction) return std::nullopt;
    return names.text(symbol->name);
  }
};

std::optional<SymbolTable> symbols_of(const Elf& elf) {
  for (const ElfSection& s : elf.sections) {
    if (s.type != kSymbolTable) continue;
    if (s.link >= elf.sections.size()) return std::nullopt;
    const auto symbols = elf.contents(s);
    const auto names = elf.contents(elf.sections[s.link]);
    if (!symbols || !names) return std::nullopt;
    return SymbolTable{*symbols, *names};
  }
  return std::nullopt;
}

/// Calls `visit(attribute, symbol, value)` for each attribute of two words; false where the list is
/// damaged.
template <class Visit>
bool for_each_attribute(const Bytes& info, Visit&& visit) {
  for (std::uint64_t at = 0; at < info.size();) {
    const auto format = info.at<std::uint8_t>(at);
    const auto attribute = info.at<std::uint8_t>(at + 1);
    const auto size = info.at<std::uint16_t>(at + 2);
    if (!format || !attribute || !size) return false;
    at += 4;
    if (*format != kFormatPayload) continue;
    if (!info.part(at, *size)) return false;
    if (*size == 8 &&
        !visit(*attribute, *info.at<std::uint32_t>(at), *info.at<std::uint32_t>(at + 4)))
      return false;
    at += *size;
  }
  return true;
}

}  // namespace

std::optional<std::vector<CubinKernel>> read_cubin(std::span<const std::uint8_t> bytes) {
  const auto elf = read_elf(bytes);
  if (!elf) return std::nullopt;
  const auto symbols = symbols_of(*elf);
  if (!symbols) return std::nullopt;

  std::map<std::string, CubinKernel> kernels;
  for (std::size_t i = 0; i < elf->sections.size(); ++i) {
    if (elf->names[i] != ".nv.info") continue;
    const auto info = elf->contents(elf->sections[i]);
    if (!info) return std::nullopt;
    const bool sound = for_each_attribute(
        *info, [&](std::uint8_t attribute, std::uint32_t symbol, std::uint32_t value) {
          if (attribute != kRegisterCount && attribute != kFrameSize) return true;
          auto name = symbols->function(symbol);
          if (!name) return false;
          CubinKernel& kernel = kernels[*name];
          kernel.name = std::move(*name);
          (attribute == kRegisterCount ? kernel.registers : kernel.frame_bytes) = value;
          return true;
        });
    if (!sound) return std::nullopt;
  }
  std::vector<CubinKernel> result;
  for (auto& [name, kernel] : kernels) {
    // Without line tables there is no machine code by line; all else holds.
    if (auto code = read_machine_code(*elf, ".text." + name)) kernel.code = std::move(*code);
  }
  for (auto& [name, kernel] : kernels) result.push_back(std::move(kernel));
  return result;
}

}  // namespace warpbook::device
