#include "gui/controls/highlight.hpp"

#include <algorithm>
#include <cctype>

namespace warpbook::gui {
namespace {
bool contains(const std::vector<std::string_view>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}
bool letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80);
}

/// "R12", "UR4.64", "P0", "RZ", "SR_TID.X": registers of machine code.
bool is_register(std::string_view word) {
  if (word.starts_with("SR_")) return true;
  if (word.starts_with('U')) word.remove_prefix(1);
  const bool named = word.size() > 1 && (word[0] == 'R' || word[0] == 'P' || word[0] == 'B');
  return named &&
         (std::isdigit(static_cast<unsigned char>(word[1])) || word[1] == 'Z' || word[1] == 'T');
}

Token::Kind kind_of_word(std::string_view word, Dialect dialect, char first_of_line) {
  if (dialect == Dialect::sass)
    return first_of_line == 'i' && is_register(word) ? Token::Kind::cuda : Token::Kind::text;
  if (dialect == Dialect::ptx) {
    if (word.starts_with('.') && first_of_line != 'i') return Token::Kind::directive;
    if (word.starts_with('%')) return Token::Kind::cuda;
    return Token::Kind::text;
  }
  if (contains(cuda_names(), word) || word.starts_with("__")) return Token::Kind::cuda;
  if (contains(cuda_types(), word)) return Token::Kind::type;
  if (contains(cuda_keywords(), word)) return Token::Kind::keyword;
  return Token::Kind::text;
}
}  // namespace

const std::vector<std::string_view>& cuda_keywords() {
  static const std::vector<std::string_view> words{
      "alignas",   "alignof",   "asm",           "auto",        "break",
      "case",      "catch",     "class",         "concept",     "const",
      "constexpr", "continue",  "decltype",      "default",     "delete",
      "do",        "else",      "enum",          "explicit",    "extern",
      "false",     "for",       "friend",        "if",          "inline",
      "namespace", "new",       "noexcept",      "nullptr",     "operator",
      "private",   "protected", "public",        "requires",    "return",
      "sizeof",    "static",    "static_assert", "static_cast", "reinterpret_cast",
      "struct",    "switch",    "template",      "this",        "throw",
      "true",      "try",       "typedef",       "typename",    "union",
      "using",     "virtual",   "volatile",      "while"};
  return words;
}

const std::vector<std::string_view>& cuda_types() {
  static const std::vector<std::string_view> words{
      "void",        "bool",        "char",    "short",   "int",      "long",     "unsigned",
      "signed",      "float",       "double",  "size_t",  "half",     "half2",    "__half",
      "__half2",     "float2",      "float3",  "float4",  "double2",  "int2",     "int3",
      "int4",        "uint2",       "uint3",   "uint4",   "uchar4",   "dim3",     "int8_t",
      "int16_t",     "int32_t",     "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
      "cudaError_t", "cudaStream_t"};
  return words;
}

const std::vector<std::string_view>& cuda_names() {
  static const std::vector<std::string_view> words{
      "blockIdx",  "blockDim",   "threadIdx",    "gridDim",      "warpSize",      "atomicAdd",
      "atomicSub", "atomicExch", "atomicMin",    "atomicMax",    "atomicInc",     "atomicDec",
      "atomicCAS", "atomicAnd",  "atomicOr",     "atomicXor",    "__global__",    "__device__",
      "__host__",  "__shared__", "__constant__", "__restrict__", "__syncthreads", "__syncwarp"};
  return words;
}

Dialect dialect_of(std::string_view language) {
  if (language.empty() || language == "text") return Dialect::plain;
  if (language == "toml") return Dialect::toml;
  if (language == "sass") return Dialect::sass;
  return language == "ptx" ? Dialect::ptx : Dialect::cuda;
}

std::vector<Token> highlight(std::string_view line, Dialect dialect, bool& in_comment) {
  std::vector<Token> tokens;
  const auto add = [&](std::size_t from, std::size_t to, Token::Kind kind) {
    if (from == to) return;
    if (!tokens.empty() && tokens.back().kind == kind && tokens.back().to == from) {
      tokens.back().to = to;
    } else {
      tokens.push_back({from, to, kind});
    }
  };
  if (dialect == Dialect::plain) {
    add(0, line.size(), Token::Kind::text);
    return tokens;
  }
  const std::size_t first = line.find_first_not_of(" \t");
  const bool toml = dialect == Dialect::toml;
  if (!in_comment && (dialect == Dialect::cuda || toml) && first != std::string_view::npos &&
      line[first] == (toml ? '[' : '#')) {
    add(0, line.size(), Token::Kind::directive);
    return tokens;
  }
  // The first plain word of a line is its operation.
  const bool assembly = dialect == Dialect::ptx || dialect == Dialect::sass;
  bool mnemonic_due = assembly;
  const auto joins = [&](char c) {
    return (assembly && (c == '.' || c == '$')) || (dialect == Dialect::sass && c == '!');
  };
  std::size_t at = 0;
  while (at < line.size()) {
    const std::size_t from = at;
    const char c = line[at];
    if (!toml && (in_comment || line.substr(at, 2) == "/*")) {
      const std::size_t end = line.find("*/", in_comment ? at : at + 2);
      in_comment = end == std::string_view::npos;
      at = in_comment ? line.size() : end + 2;
      add(from, at, Token::Kind::comment);
    } else if (toml ? c == '#' : line.substr(at, 2) == "//") {
      at = line.size();
      add(from, at, Token::Kind::comment);
    } else if (c == '"' || c == '\'') {
      for (++at; at < line.size() && line[at] != c; ++at) at += line[at] == '\\' ? 1 : 0;
      at = std::min(at + 1, line.size());
      add(from, at, Token::Kind::string);
    } else if (std::isdigit(static_cast<unsigned char>(c))) {
      while (at < line.size() && (letter(line[at]) || line[at] == '.')) ++at;
      add(from, at, Token::Kind::number);
    } else if (letter(c) || (assembly && (c == '.' || c == '%' || c == '$' || c == '@'))) {
      ++at;
      while (at < line.size() && (letter(line[at]) || joins(line[at]))) ++at;
      const std::string_view word = line.substr(from, at - from);
      Token::Kind kind = kind_of_word(word, dialect, mnemonic_due ? 'd' : 'i');
      if (assembly && kind == Token::Kind::text && mnemonic_due) {
        const bool label = word.starts_with('$') || (at < line.size() && line[at] == ':');
        kind = label || word.starts_with('@') ? Token::Kind::directive : Token::Kind::keyword;
        mnemonic_due = word.starts_with('@');
      }
      add(from, at, kind);
    } else {
      ++at;
      add(from, at, Token::Kind::text);
    }
  }
  return tokens;
}

Colour colour_of(Token::Kind kind, const Theme& theme) {
  switch (kind) {
    case Token::Kind::text: return theme.t1;
    case Token::Kind::keyword: return theme.code_keyword;
    case Token::Kind::type: return theme.code_type;
    case Token::Kind::cuda: return theme.code_cuda;
    case Token::Kind::number: return theme.code_number;
    case Token::Kind::string: return theme.code_string;
    case Token::Kind::comment: return theme.code_comment;
    case Token::Kind::directive: return theme.code_directive;
  }
  return theme.t1;
}

}  // namespace warpbook::gui
