// Reads the ELF-64 tables of a cubin (ELF-64 object file format, version 1.5). Every read is held
// against the bytes that are there.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warpbook::device {

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
  [[nodiscard]] std::optional<std::string> text(std::uint64_t offset) const;
  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }

 private:
  std::span<const std::uint8_t> bytes_;
};

struct ElfSection {
  std::uint32_t name, type;
  std::uint64_t flags, address, offset, size;
  std::uint32_t link, info;
  std::uint64_t alignment, entry_size;
};
struct ElfSymbol {
  std::uint32_t name;
  std::uint8_t info, other;
  std::uint16_t section;
  std::uint64_t value, size;
};
struct ElfRelocation {
  std::uint64_t offset, info;  ///< SHT_RELA has an addend behind them
};
static_assert(sizeof(ElfSection) == 64 && sizeof(ElfSymbol) == 24 && sizeof(ElfRelocation) == 16);

struct Elf {
  Bytes file;
  std::uint32_t flags = 0;  ///< of the header: the second byte is the architecture
  std::vector<ElfSection> sections;
  std::vector<std::string> names;  ///< of the sections

  [[nodiscard]] std::optional<Bytes> contents(const ElfSection& s) const {
    return file.part(s.offset, s.size);
  }
  /// The first section of that name.
  [[nodiscard]] const ElfSection* section(std::string_view name) const;
};

/// Empty where the bytes are no sound ELF file for CUDA's machine (EM_CUDA, 190).
std::optional<Elf> read_elf(std::span<const std::uint8_t> bytes);

}  // namespace warpbook::device
