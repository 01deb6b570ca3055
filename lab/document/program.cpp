#include "lab/document/program.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

const std::string kCallKeys = "phrase.calls.";

/// The text with blanks where comments, strings, characters and lines of the preprocessor were, so that places stay.
std::string code_alone(std::string_view text) {
  enum class In { code, line_comment, comment, string, character, directive };
  std::string code(text);
  In in = In::code;
  bool line_is_empty = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '\n') {
      const bool goes_on = i > 0 && text[i - 1] == '\\';
      if ((in == In::line_comment || in == In::directive) && !goes_on) in = In::code;
      line_is_empty = true;
      continue;
    }
    const bool opens = in == In::code;
    if (opens && c == '#' && line_is_empty) in = In::directive;
    if (opens && c == '/' && next == '/') in = In::line_comment;
    if (opens && c == '/' && next == '*') in = In::comment;
    if (opens && c == '"') in = In::string;
    if (opens && c == '\'') in = In::character;
    if (c != ' ') line_is_empty = false;
    if (in == In::code) continue;
    code[i] = ' ';
    if (opens) continue;
    if ((in == In::string || in == In::character) && c == '\\' && next != '\n') {
      code[++i] = ' ';
    } else if ((in == In::string && c == '"') || (in == In::character && c == '\'')) {
      in = In::code;
    } else if (in == In::comment && c == '*' && next == '/') {
      code[++i] = ' ';
      in = In::code;
    }
  }
  return code;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// What a run calls the call `name`, with which `statement` begins.
std::string host_call_of(std::string_view name, std::string_view statement) {
  static constexpr std::array<std::pair<std::string_view, const char*>, 6> kSame{
      {{"__global__", "load"},
       {"<<<", "launch"},
       {"cudaMalloc", "allocate"},
       {"cudaMemset", "fill"},
       {"cudaDeviceSynchronize", "synchronise"},
       {"cudaFree", "release"}}};
  static constexpr std::array<std::pair<std::string_view, const char*>, 3> kDirections{
      {{"cudaMemcpyHostToDevice", "copy_in"},
       {"cudaMemcpyDeviceToHost", "copy_out"},
       {"cudaMemcpyDeviceToDevice", "copy"}}};
  for (const auto& [cuda, host] : kSame) {
    if (name == cuda) return host;
  }
  if (name != "cudaMemcpy") return {};
  for (const auto& [direction, host] : kDirections) {
    if (statement.find(direction) != std::string_view::npos) return host;
  }
  return {};
}

}  // namespace

std::vector<ProgramCall> program_calls(std::string_view text) {
  const std::string code = code_alone(text);
  std::vector<ProgramCall> calls;
  std::size_t line = 0;
  const auto add = [&](std::size_t at, std::string name) {
    const std::string_view rest = std::string_view(code).substr(at);
    // A definition has no end that matters here.
    const std::string_view statement =
        name == "__global__" ? std::string_view() : rest.substr(0, rest.find(';'));
    const auto further = static_cast<std::size_t>(std::ranges::count(statement, '\n'));
    std::string same = host_call_of(name, statement);
    calls.push_back({line, line + further, std::move(name), std::move(same)});
  };
  for (std::size_t i = 0; i < code.size();) {
    if (code[i] == '\n') ++line;
    if (std::string_view(code).substr(i).starts_with("<<<")) {
      add(i, "<<<");
      i += 3;
      continue;
    }
    if (!is_word(code[i])) {
      ++i;
      continue;
    }
    const auto end = static_cast<std::size_t>(
        std::find_if_not(code.begin() + static_cast<std::ptrdiff_t>(i), code.end(), is_word) -
        code.begin());
    const std::string word = code.substr(i, end - i);
    const bool called = end < code.size() && code[end] == '(';
    if (word == "__global__" || (called && word.starts_with("cuda"))) add(i, word);
    i = end;
  }
  return calls;
}

std::vector<ProgramLine> program_lines(const CodeBlock& program, const Report* report) {
  std::vector<ProgramLine> lines;
  for (std::string_view rest = program.text; !rest.empty();) {
    const std::string_view each = rest.substr(0, rest.find('\n'));
    lines.push_back({std::string(each), {}});
    rest.remove_prefix(std::min(rest.size(), each.size() + 1));
  }
  const auto* list = report ? report->find_as<TextExhibit>(program.exhibit) : nullptr;
  const Message* made = list ? device::argument_of(list->text.arguments, "calls") : nullptr;
  if (!made) return lines;
  auto next = made->arguments.begin();
  for (const ProgramCall& call : program_calls(program.text)) {
    if (next == made->arguments.end()) break;
    if (call.host_call.empty() || next->value.key != kCallKeys + call.host_call) continue;
    lines[call.last].call = next->value;
    ++next;
  }
  return lines;
}

std::vector<SetProgramLine> set_program(const CodeBlock& program, const Report* report,
                                        const Strings& strings, std::size_t columns) {
  constexpr std::size_t kGap = 2;
  std::vector<SetProgramLine> set;
  std::size_t code = 0, call = 0;
  for (ProgramLine& line : program_lines(program, report)) {
    code = std::max(code, static_cast<std::size_t>(columns_of(line.code)));
    std::string said = line.call.empty()
                           ? std::string()
                           : strings("document.program-call", {{"call", std::move(line.call)}});
    call = std::max(call, static_cast<std::size_t>(columns_of(said)));
    set.push_back({std::move(line.code), std::move(said)});
  }
  const bool beside = code + kGap + call <= columns;
  for (SetProgramLine& line : set) {
    if (line.call.empty()) continue;
    const auto own = static_cast<std::size_t>(columns_of(line.code));
    const std::size_t indent = line.code.find_first_not_of(' ');
    line.call.insert(
        0, beside ? std::string(code - own + kGap, ' ') : "\n" + std::string(indent + kGap, ' '));
  }
  return set;
}

}  // namespace warpbook::lab
