#include "device/simulator/cubin/elf.hpp"

namespace warpbook::device {
namespace {

constexpr std::uint16_t kMachineCuda = 190;

struct ElfHeader {
  std::uint8_t identity[16];
  std::uint16_t type, machine;
  std::uint32_t version;
  std::uint64_t entry, program_offset, section_offset;
  std::uint32_t flags;
  std::uint16_t header_size, program_size, programs, section_size, sections, names;
};
static_assert(sizeof(ElfHeader) == 64);

}  // namespace

std::optional<std::string> Bytes::text(std::uint64_t offset) const {
  if (offset >= bytes_.size()) return std::nullopt;
  const auto* begin = reinterpret_cast<const char*>(bytes_.data()) + offset;
  const auto* end = static_cast<const char*>(std::memchr(begin, 0, bytes_.size() - offset));
  if (!end) return std::nullopt;
  return std::string(begin, end);
}

const ElfSection* Elf::section(std::string_view name) const {
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (names[i] == name) return &sections[i];
  }
  return nullptr;
}

std::optional<Elf> read_elf(std::span<const std::uint8_t> bytes) {
  Elf elf{.file = Bytes(bytes)};
  const auto header = elf.file.at<ElfHeader>(0);
  if (!header || std::memcmp(header->identity,
                             "\x7f"
                             "ELF\x02\x01",
                             6) != 0)
    return std::nullopt;
  if (header->machine != kMachineCuda || header->section_size != sizeof(ElfSection))
    return std::nullopt;
  elf.flags = header->flags;
  for (std::uint64_t i = 0; i < header->sections; ++i) {
    // The product cannot wrap; the sum can, and then lies outside the file's bytes or inside them,
    // never beyond.
    const auto section = elf.file.at<ElfSection>(header->section_offset + i * sizeof(ElfSection));
    if (!section) return std::nullopt;
    elf.sections.push_back(*section);
  }
  if (header->names >= elf.sections.size()) return std::nullopt;
  const auto names = elf.contents(elf.sections[header->names]);
  if (!names) return std::nullopt;
  for (const ElfSection& s : elf.sections) {
    auto name = names->text(s.name);
    if (!name) return std::nullopt;
    elf.names.push_back(std::move(*name));
  }
  return elf;
}

}  // namespace warpbook::device
