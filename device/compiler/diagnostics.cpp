#include "device/compiler/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include "device/compiler/composition.hpp"
#include "device/compiler/host_headers.hpp"
#include "device/kernel_name.hpp"

namespace warpbook::device {
namespace {

constexpr std::size_t kMostDiagnostics = 200;
constexpr std::size_t kMostContextLines = 12;

struct SeverityWord {
  std::string_view word;
  Severity severity;
};
constexpr std::array kSeverityWords{
    SeverityWord{"catastrophic error", Severity::error},
    SeverityWord{"internal error", Severity::error},
    SeverityWord{"command-line error", Severity::error},
    SeverityWord{"fatal", Severity::error},
    SeverityWord{"error", Severity::error},
    SeverityWord{"warning", Severity::warning},
    SeverityWord{"remark", Severity::remark},
    SeverityWord{"note", Severity::note},
    SeverityWord{"info", Severity::remark},
};

std::string_view next_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view without_indent(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

std::optional<std::uint32_t> number_at(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

struct Head {
  std::string_view file;
  std::uint32_t line = 0;
  bool at_end = false;  // of the source: it misses something
  Severity severity{};
  std::string_view text;
};

// "error: x", "warning #177-D: x", "error   : x" -> severity and x.
bool read_severity(std::string_view text, Head& head) {
  const auto starts_with =
      [text](std::string_view word) {  // without a place the first letter is a capital
        return text.size() > word.size() && (text[0] | 0x20) == word[0] &&
               text.substr(1).starts_with(word.substr(1));
      };
  for (const SeverityWord& candidate : kSeverityWords) {
    if (!starts_with(candidate.word)) continue;
    std::string_view rest = without_indent(text.substr(candidate.word.size()));
    if (rest.starts_with('#')) rest.remove_prefix(std::min(rest.find(':'), rest.size()));
    rest = without_indent(rest);
    if (!rest.starts_with(':')) return false;
    head.severity = candidate.severity;
    head.text = without_indent(rest.substr(1));
    return true;
  }
  return false;
}

// The forms are: file(line): SEVERITY: text / SEVERITY: text / At end of source: SEVERITY: text / ptxas SEVERITY : text / ptxas
// file, line N; SEVERITY: text
std::optional<Head> head_in(std::string_view line) {
  Head head;
  if (line.empty() || line.front() == ' ' || line.front() == '\t') return std::nullopt;
  if (line.starts_with("ptxas ")) {
    std::string_view rest = line.substr(6);
    if (const std::size_t semicolon = rest.find("; ");
        semicolon != std::string_view::npos && rest.find(", line") < semicolon) {
      rest.remove_prefix(semicolon + 2);
    }
    rest = without_indent(rest);
    return read_severity(rest, head) ? std::optional(head) : std::nullopt;
  }
  if (read_severity(line, head)) return head;
  constexpr std::string_view kAtEnd = "At end of source: ";
  if (line.starts_with(kAtEnd)) {
    head.at_end = true;
    return read_severity(line.substr(kAtEnd.size()), head) ? std::optional(head) : std::nullopt;
  }
  const std::size_t close = line.find("): ");
  if (close == std::string_view::npos) return std::nullopt;
  const std::size_t open = line.rfind('(', close);
  if (open == std::string_view::npos || open == 0) return std::nullopt;
  const auto number = number_at(line.substr(open + 1));
  if (!number) return std::nullopt;
  head.file = line.substr(0, open);
  head.line = *number;
  if (!read_severity(line.substr(close + 3), head)) return std::nullopt;
  return head;
}

bool is_caret_line(std::string_view line) {
  const std::string_view content = without_indent(line);
  return !content.empty() && content.front() == '^' &&
         content.find_first_not_of("^~ ") == std::string_view::npos;
}

bool is_context_line(std::string_view line) { return line.starts_with("          "); }

// Lines in which NVRTC speaks about the log itself.
bool is_about_the_log(std::string_view line) {
  return line.starts_with("Remark: The warnings can be suppressed") ||
         line.find(" detected in the compilation of ") != std::string_view::npos ||
         line == "Compilation terminated.";
}

std::string without_folder(std::string_view file, const std::vector<std::string>& folders) {
  // In some layouts the last folder is inside the first, so the longest match is the right one.
  std::size_t cut = 0;
  for (const std::string& folder : folders) {
    if (file.starts_with(folder + "/")) cut = std::max(cut, folder.size() + 1);
  }
  return std::string(file.substr(cut));
}

bool is_host_header(std::string_view file) {
  const auto& headers = host_headers();
  return std::any_of(headers.begin(), headers.end(),
                     [&](const auto& header) { return header.first == file; });
}

// The source's line that includes `header`, directly, or 0.
std::uint32_t line_that_includes(std::string_view source, std::string_view header) {
  for (std::uint32_t number = 1; !source.empty(); ++number) {
    const std::string_view line = next_line(source);
    if (line.find("include") != std::string_view::npos &&
        line.find(header) != std::string_view::npos)
      return number;
  }
  return 0;
}

// "... at line 12 of "w.cu"" in the lines of context: the outermost place in the source itself.
std::uint32_t line_in_context(std::string_view context, std::string_view boxed_name) {
  std::uint32_t found = 0;
  while (!context.empty()) {
    const std::string_view line = next_line(context);
    const std::size_t at = line.rfind("at line ");
    if (at == std::string_view::npos || line.find(boxed_name, at) == std::string_view::npos)
      continue;
    found = number_at(line.substr(at + 8)).value_or(found);
  }
  return found;
}

bool is_called_in(std::string_view line, std::string_view name) {
  const auto in_word = [](char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
  };
  for (std::size_t at = 0; (at = line.find(name, at)) != std::string_view::npos;
       at += name.size()) {
    const std::string_view after = without_indent(line.substr(at + name.size()));
    if ((at == 0 || !in_word(line[at - 1])) && after.starts_with('(')) return true;
  }
  return false;
}

// Calls visit(number, line) for the lines of `file` itself, until it gives back false. Own headers are part of the source, each
// after a #line (own_headers.hpp).
template <class Visit>
void visit_own_lines(std::string_view source, std::string_view file, Visit visit) {
  bool own = true;
  for (std::uint32_t number = 1; !source.empty(); ++number) {
    const std::string_view line = next_line(source);
    if (line.starts_with("#line ")) {
      number = number_at(line.substr(6)).value_or(1) - 1;
      own = line.find(fmt::format("\"{}\"", file)) != std::string_view::npos;
    } else if (own && !visit(number, line)) {
      return;
    }
  }
}

// The last line of `file` that is not blank, or 0.
std::uint32_t last_line_of(std::string_view source, std::string_view file) {
  std::uint32_t last = 0;
  visit_own_lines(source, file, [&](std::uint32_t number, std::string_view line) {
    if (!without_indent(line).empty()) last = number;
    return true;
  });
  return last;
}

// The assembler knows no lines of the source, but says which function it speaks of: "Entry function '_Z4tilePf' uses
// too much ...". The line of `file` on which it first names that function with its parameters, or 0.
std::uint32_t line_of_function(std::string_view text, std::string_view source,
                               std::string_view file) {
  const std::size_t open = text.find("function '");
  if (open == std::string_view::npos) return 0;
  const std::string_view quoted = text.substr(open + 10);
  const std::string whole = kernel_name_of(std::string(quoted.substr(0, quoted.find('\'')))).name;
  const std::string_view name = without_template_arguments(without_scopes(whole));
  if (name.empty()) return 0;
  std::uint32_t found = 0;
  visit_own_lines(source, file, [&](std::uint32_t number, std::string_view line) {
    if (is_called_in(line, name)) found = number;
    return found == 0;
  });
  return found;
}

std::uint32_t lines_of(std::string_view source) {
  return static_cast<std::uint32_t>(std::count(source.begin(), source.end(), '\n')) + 1;
}

class DiagnosticsPlaces {
 public:
  DiagnosticsPlaces(std::string_view name, std::string_view source,
                    const std::vector<std::string>& folders)
      : name_(name),
        boxed_name_(name_in_box(name)),
        source_(source),
        lines_(lines_of(source)),
        folders_(folders) {}

  /// In a header of CUDA's or ours; not where a #line directive claims to be.
  [[nodiscard]] bool in_header(const Head& head) const {
    return without_folder(head.file, folders_).size() != head.file.size() ||
           is_host_header(head.file);
  }

  void put(const Head& head, std::uint32_t column, const std::string& context,
           Diagnostic& diagnostic) const {
    diagnostic.place.file = name_;
    if (head.file.empty()) {
      diagnostic.place.line =
          head.at_end ? last_line_of(source_, name_) : line_of_function(head.text, source_, name_);
      return;
    }
    const std::string file = without_folder(head.file, folders_);
    if (file == "__nv_name_map") {
      diagnostic.text += kOfNameExpression;
      return;
    }
    if (file == boxed_name_ && head.line <= lines_) {
      diagnostic.place.line = head.line;
      diagnostic.place.column = column;
      return;
    }
    if (in_header(head)) {
      diagnostic.place.line = line_in_context(context, boxed_name_);
      if (diagnostic.place.line == 0) diagnostic.place.line = line_that_includes(source_, file);
      if (diagnostic.place.line > lines_) diagnostic.place.line = 0;
    }
    diagnostic.text += fmt::format(" (at {}:{})", file, head.line);
  }

 private:
  std::string name_, boxed_name_;
  std::string_view source_;
  std::uint32_t lines_;
  const std::vector<std::string>& folders_;
};

// CUDA 9 gave the functions of a warp a mask, and CUDA 13 has the old ones no more.
std::string with_mask(std::string text) {
  constexpr std::string_view kBefore = "identifier \"", kAfter = "\" is undefined";
  const std::string_view whole = text;
  if (!whole.starts_with(kBefore) || !whole.ends_with(kAfter)) return text;
  const std::string_view name =
      whole.substr(kBefore.size(), whole.size() - kBefore.size() - kAfter.size());
  constexpr std::array<std::string_view, 7> kWithoutMask{
      "__shfl", "__shfl_up", "__shfl_down", "__shfl_xor", "__any", "__all", "__ballot"};
  if (std::ranges::find(kWithoutMask, name) == kWithoutMask.end()) return text;
  return fmt::format(
      "{0} is gone from CUDA since it does not say which lanes take part; write "
      "{0}_sync(0xffffffff, "
      "...)",
      name);
}

// A file that may not be read and one that is not there are told apart by nothing (box.hpp), and
// the folders of headers are private.
std::string cleaned(std::string_view text, const std::vector<std::string>& folders) {
  std::string same(text);
  for (const std::string& folder : folders) {
    const std::string prefix = folder + "/";
    for (std::size_t at = 0; (at = same.find(prefix, at)) != std::string::npos;) {
      const bool begins_a_path = at == 0 || same[at - 1] == ' ' || same[at - 1] == '"';
      if (begins_a_path) same.erase(at, prefix.size());
      if (!begins_a_path) ++at;
    }
  }
  for (const std::string_view reason :
       {" (Permission denied)", " (Is a directory)", " (No such file or directory)"}) {
    for (std::size_t at = 0; (at = same.find(reason)) != std::string::npos;)
      same.erase(at, reason.size());
  }
  // NVRTC recommends an option that Warpbook has no way to pass. It takes a lambda with auto parameters for a
  // function of the host's, too.
  if (same.starts_with("A function without execution space annotations")) {
    same =
        "a function that a kernel calls needs __device__ in front of it (and a lambda in a kernel "
        "needs types in place of auto parameters)";
  }
  if (same.starts_with("A namespace scope variable without memory space annotations")) {
    same = "a variable that a kernel uses needs __device__ or __constant__ in front of it";
  }
  if (same.starts_with("device-side kernel launch could not be processed")) {
    same =
        "a kernel that launches kernels (dynamic parallelism) does not run here; launch each "
        "kernel "
        "by itself";
  }
  if (same.starts_with("texture is not a template") ||
      same.starts_with("identifier \"texture\" is undefined")) {
    same =
        "CUDA 12 took texture<...> references away; hand the kernel a cudaTextureObject_t and read "
        "it with tex1Dfetch<T>, tex2D<T> or tex3D<T>";
  }
  return with_mask(std::move(same));
}

}  // namespace

std::vector<Diagnostic> diagnostics_from(std::string_view log, std::string_view name,
                                         std::string_view source,
                                         const std::vector<std::string>& include_folders) {
  const DiagnosticsPlaces places(name, source, include_folders);
  std::vector<Diagnostic> diagnostics;
  std::optional<Head> head;
  std::string context;
  std::uint32_t column = 0;
  std::size_t context_lines = 0;
  bool quoted = false;

  const auto finish = [&] {
    if (!head) return;
    // The author cannot do anything about warnings in headers, and whether a precompiled one could
    // be used is not the student's business.
    const bool of_precompiled =
        head->file.empty() && head->text.find("precompiled header") != std::string_view::npos;
    if (head->severity != Severity::error && (of_precompiled || places.in_header(*head))) {
      head.reset();
      return;
    }
    Diagnostic diagnostic;
    diagnostic.severity = head->severity;
    diagnostic.text = cleaned(head->text, include_folders);
    places.put(*head, column, context, diagnostic);
    if (!context.empty()) diagnostic.text += "\n" + context.substr(0, context.size() - 1);
    diagnostics.push_back(std::move(diagnostic));
    head.reset();
  };

  while (!log.empty() && diagnostics.size() < kMostDiagnostics) {
    const std::string_view line = next_line(log);
    if (is_about_the_log(line)) continue;
    if (auto next = head_in(line)) {
      finish();
      head = next;
      context.clear();
      column = 0;
      context_lines = 0;
      quoted = false;
    } else if (head && !quoted && is_caret_line(line)) {
      // The line of source above it was indented by two.
      column = static_cast<std::uint32_t>(std::max<std::size_t>(line.find('^'), 2) - 1);
      quoted = true;
    } else if (head && quoted && is_context_line(line) && context_lines++ < kMostContextLines) {
      context += cleaned(without_indent(line), include_folders);
      context += '\n';
    }
  }
  finish();
  return diagnostics;
}

std::string without_folders(std::string ptx, const std::vector<std::string>& include_folders) {
  constexpr std::string_view kDirective = "\t.file\t";
  for (std::size_t at = ptx.find(kDirective); at != std::string::npos;
       at = ptx.find(kDirective, at + 1)) {
    const std::size_t begin = ptx.find('"', at);
    const std::size_t end = begin == std::string::npos ? begin : ptx.find('"', begin + 1);
    if (end == std::string::npos || ptx.find('\n', at) < end) continue;
    const std::string_view path(ptx.data() + begin + 1, end - begin - 1);
    // A name without a folder was completed with "/", where the compile ran.
    std::string shorter =
        path.rfind('/') == 0 ? std::string(path.substr(1)) : without_folder(path, include_folders);
    if (shorter != path) ptx.replace(begin + 1, end - begin - 1, shorter);
  }
  return ptx;
}

}  // namespace warpbook::device
