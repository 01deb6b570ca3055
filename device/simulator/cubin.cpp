// A cubin is an ELF64 file for machine 190 (EM_CUDA). Section .nv.info is a list of attributes: a
// format byte, an attribute byte and 16 bits that are the value itself, or for format 4 the bytes
// of a payload that follows. The attributes used here have a payload of two words, symbol index and
// value: 0x2f EIATTR_REGCOUNT, 0x11 EIATTR_FRAME_SIZE. The format is not documented by NVIDIA; the
// register count was found right for sm_75 to sm_120 with NVRTC 13.0.
#include "device/simulator/cubin.hpp"

#include <cstring>
#include <map>
#include <string_view>

namespace warpbook::device {
namespace {

constexpr std::uint16_t kMachineCuda = 190;
constexpr std::uint32_t kSymbolTable = 2;  // SHT_SYMTAB
constexpr std::uint8_t kFormatPayload = 4;
constexpr std::uint8_t kRegisterCount = 0x2f;
constexpr std::uint8_t kFrameSize = 0x11;
constexpr std::uint8_t kFunction = 2;  // STT_FUNC

/// Reads that answer nothing where they would leave the bytes.
class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  template <class T>
  [[nodiscard]] std::optional<T> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  [[nodiscard]] std::optional<Bytes> part(std::uint64_t offset, std::uint64_t size) const {
    if (offset > bytes_.size() || bytes_.size() - offset < size) return std::nullopt;
    return Bytes(bytes_.subspan(offset, size));
  }
  /// The zero-terminated text at `offset`.
  [[nodiscard]] std::optional<std::string> text(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return std::nullopt;
    const auto* begin = reinterpret_cast<const char*>(bytes_.data()) + offset;
    const auto* end = static_cast<const char*>(std::memchr(begin, 0, bytes_.size() - offset));
    if (!end) return std::nullopt;
    return std::string(begin, end);
  }
  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }

 private:
  std::span<const std::uint8_t> bytes_;
};

// ELF-64 object file format, version 1.5: the headers as they lie in the file.
struct ElfHeader {
  std::uint8_t identity[16];
  std::uint16_t type, machine;
  std::uint32_t version;
  std::uint64_t entry, program_offset, section_offset;
  std::uint32_t flags;
  std::uint16_t header_size, program_size, programs, section_size, sections, names;
};
struct SectionHeader {
  std::uint32_t name, type;
  std::uint64_t flags, address, offset, size;
  std::uint32_t link, info;
  std::uint64_t alignment, entry_size;
};
struct Symbol {
  std::uint32_t name;
  std::uint8_t info, other;
  std::uint16_t section;
  std::uint64_t value, size;
};
static_assert(sizeof(ElfHeader) == 64 && sizeof(SectionHeader) == 64 && sizeof(Symbol) == 24);

struct Elf {
  Bytes file;
  std::vector<SectionHeader> sections;
  std::vector<std::string> names;

  [[nodiscard]] std::optional<Bytes> contents(const SectionHeader& s) const {
    return file.part(s.offset, s.size);
  }
};

std::optional<Elf> read_elf(std::span<const std::uint8_t> bytes) {
  Elf elf{.file = Bytes(bytes)};
  const auto header = elf.file.at<ElfHeader>(0);
  if (!header || std::memcmp(header->identity,
                             "\x7f"
                             "ELF\x02\x01",
                             6) != 0)
    return std::nullopt;
  if (header->machine != kMachineCuda || header->section_size != sizeof(SectionHeader))
    return std::nullopt;
  for (std::uint64_t i = 0; i < header->sections; ++i) {
    // The product cannot wrap; the sum can, and then lies outside the file's bytes or inside them,
    // never beyond.
    const auto section =
        elf.file.at<SectionHeader>(header->section_offset + i * sizeof(SectionHeader));
    if (!section) return std::nullopt;
    elf.sections.push_back(*section);
  }
  if (header->names >= elf.sections.size()) return std::nullopt;
  const auto names = elf.contents(elf.sections[header->names]);
  if (!names) return std::nullopt;
  for (const SectionHeader& s : elf.sections) {
    auto name = names->text(s.name);
    if (!name) return std::nullopt;
    elf.names.push_back(std::move(*name));
  }
  return elf;
}

struct SymbolTable {
  Bytes symbols, names;

  [[nodiscard]] std::optional<std::string> function(std::uint32_t index) const {
    const auto symbol = symbols.at<Symbol>(std::uint64_t{index} * sizeof(Symbol));
    if (!symbol || (symbol->info & 0xf) != kFunction) return std::nullopt;
    return names.text(symbol->name);
  }
};

std::optional<SymbolTable> symbols_of(const Elf& elf) {
  for (const SectionHeader& s : elf.sections) {
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
  for (auto& [name, kernel] : kernels) result.push_back(std::move(kernel));
  return result;
}

}  // namespace warpbook::device
