#include "device/simulator/ptx/words.hpp"

#include <array>

namespace warpbook::device::ptx {
namespace {

constexpr std::array<std::string_view, kWordCount> kTexts = {
    "",
#define WARPBOOK_WORD(name, text) text,
#include "device/simulator/ptx/words.inc"
#undef WARPBOOK_WORD
};

constexpr std::size_t kSlots =
    4096;  // a power of two, at most a quarter full: a miss ends at the first slot or so
static_assert(kWordCount * 4 <= kSlots);

/// Looks at no more than eight characters, so that a long identifier costs no more than a short
/// one.
constexpr std::size_t slot_of(std::string_view text) {
  std::uint32_t hash = static_cast<std::uint32_t>(text.size()) * 0x9E3779B1u;
  const std::size_t head = text.size() < 4 ? text.size() : 4;
  for (std::size_t i = 0; i < head; ++i) {
    hash = (hash ^ static_cast<unsigned char>(text[i])) * 0x01000193u;
    hash = (hash ^ static_cast<unsigned char>(text[text.size() - 1 - i])) * 0x85EBCA6Bu;
  }
  return (hash ^ hash >> 15) & (kSlots - 1);
}

constexpr std::array<std::uint16_t, kSlots> make_table() {
  std::array<std::uint16_t, kSlots> table{};
  for (std::size_t word = 1; word < kWordCount; ++word) {
    std::size_t slot = slot_of(kTexts[word]);
    while (table[slot] != 0) {
      slot = (slot + 1) & (kSlots - 1);
    }
    table[slot] = static_cast<std::uint16_t>(word);
  }
  return table;
}

constexpr std::array<std::uint16_t, kSlots> kWordTable = make_table();

}  // namespace

Word find_word(std::string_view text) {
  for (std::size_t slot = slot_of(text); kWordTable[slot] != 0; slot = (slot + 1) & (kSlots - 1)) {
    if (kTexts[kWordTable[slot]] == text) {
      return static_cast<Word>(kWordTable[slot]);
    }
  }
  return Word::unknown;
}

std::string_view text_of(Word word) {
  const auto index = static_cast<std::size_t>(word);
  return index < kWordCount ? kTexts[index] : std::string_view();
}

}  // namespace warpbook::device::ptx
