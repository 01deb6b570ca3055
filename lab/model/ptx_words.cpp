#include "lab/model/ptx_words.hpp"

#include <cctype>

#include "device/characters.hpp"

namespace warpbook::lab {
namespace {

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_name(char c) { return device::is_letter(c) || device::is_digit(c) || c == '_'; }

/// The next word up to a blank, taken off `text`.
std::string_view take_word(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  std::size_t end = 0;
  while (end < text.size() && !is_blank(text[end]) && text[end] != ';') ++end;
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

}  // namespace

bool PtxWords::has(std::string_view modifier) const {
  for (std::size_t dot = opcode.find('.'); dot != std::string::npos; dot = opcode.find('.', dot)) {
    const std::size_t begin = ++dot, end = opcode.find('.', begin);
    if (std::string_view(opcode).substr(begin, end - begin) == modifier) return true;
  }
  return false;
}

PtxWords ptx_words(std::string_view instruction) {
  PtxWords words;
  std::string_view opcode = take_word(instruction);
  if (opcode.starts_with('@')) opcode = take_word(instruction);
  words.opcode = opcode;
  int depth = 0;
  bool begun = false;
  for (std::size_t i = 0; i < instruction.size(); ++i) {
    const char c = instruction[i];
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (is_blank(c) || c == ';') continue;
    if (c == ',' && depth == 0) {
      begun = false;
      continue;
    }
    if (!begun) words.operands.emplace_back();
    begun = true;
    if (c != '%') continue;
    std::size_t end = i + 1;
    while (end < instruction.size() && is_name(instruction[end])) ++end;
    words.operands.back().emplace_back(instruction.substr(i, end - i));
    i = end - 1;
  }
  return words;
}

bool writes_register(const PtxWords& words) {
  return !words.opcode.starts_with("st.") && !words.opcode.starts_with("red.") &&
         !words.opcode.starts_with("cp.") && !words.opcode.starts_with("bar");
}

}  // namespace warpbook::lab
