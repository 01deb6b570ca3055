// A language made of English, "xx": each vowel that is translated bears an accent, brackets stand round every string, and
// each is 40 % longer. What is shown without accents was never translated, and what has no closing bracket was cut.
#pragma once

#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "device/runtime/cuda_error.hpp"
#include "lab/text/toml_value.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests {

/// Code, formulae, {arguments} and the targets of links, which stay as they are.
inline const std::regex& untranslatable() {
  static const std::regex kept(R"(`[^`]*`|\$[^$]*\$|\{[^{}]*\}|\]\([^)]*\)|<[^>]*>)");
  return kept;
}

inline std::string accented(std::string_view text) {
  static const std::map<char, std::string_view> accents{
      {'a', "á"}, {'e', "é"}, {'i', "í"}, {'o', "ó"}, {'u', "ú"},
      {'A', "Á"}, {'E', "É"}, {'I', "Í"}, {'O', "Ó"}, {'U', "Ú"}};
  std::string made;
  const auto put = [&](std::string_view part) {
    for (const char c : part) {
      const auto accent = accents.find(c);
      if (accent == accents.end())
        made += c;
      else
        made += accent->second;
    }
  };
  const std::string whole(text);
  std::size_t from = 0;
  for (std::sregex_iterator kept(whole.begin(), whole.end(), untranslatable()), end; kept != end;
       ++kept) {
    const auto at = static_cast<std::size_t>(kept->position());
    put(std::string_view(whole).substr(from, at - from));
    made += kept->str();
    from = at + static_cast<std::size_t>(kept->length());
  }
  put(std::string_view(whole).substr(from));
  return made;
}

/// Dots that make a text 40 % longer, in words short enough for lines to break between them.
inline std::string padding_for(std::string_view text) {
  std::string dots;
  for (std::size_t i = 0; i < (text.size() * 2 + 4) / 5; ++i) dots += i % 6 == 0 ? " ·" : "·";
  return dots;
}

inline bool has_letters(std::string_view text) {
  const std::string bare = std::regex_replace(std::string(text), untranslatable(), "");
  for (const char c : bare) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) return true;
  }
  return false;
}

/// One string of a table; punctuation and bare arguments stay as they are.
inline std::string pseudo(const std::string& text) {
  if (!has_letters(text)) return text;
  return "«" + accented(text) + padding_for(text) + "»";
}

/// A chapter's or an exercise's text: prose, and of its directives what is prose there.
inline std::string pseudo_markdown(const std::string& text) {
  static const std::regex entry(
      R"re(((?:^|[{,] ?)(?:text|why|right|question|name|meaning|label|opencl) = ")((?:[^"\\]|\\.)*)("))re");
  std::string made;
  bool fenced = false, directive = false, formula = false;
  std::string kind;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    std::string line = text.substr(from, end - from);
    from = end + 1;
    if (line.starts_with("```")) {
      fenced = !fenced;
      kind = fenced ? line.substr(3) : "";
      directive = kind == "predict" || kind == "term" || kind == "try" || kind == "compare";
    } else if (fenced) {
      // A step's name and the code of a listing are no prose.
      std::smatch prose;
      if (directive && std::regex_search(line, prose, entry) && has_letters(prose[2].str()))
        line = prose.prefix().str() + prose[1].str() + accented(prose[2].str()) +
               padding_for(prose[2].str()) + prose[3].str() + prose.suffix().str();
    } else if (formula || line.starts_with("$$")) {
      // A formula by itself may take several lines.
      const bool ends = line.size() > 2 && line.ends_with("$$");
      formula = formula ? !line.ends_with("$$") : !ends;
    } else if (has_letters(line)) {
      const bool row = line.starts_with("|");
      line = accented(line) + (row ? "" : padding_for(line));
    }
    made += line + "\n";
  }
  return made;
}

inline std::string toml_string(const std::string& text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '\n') {
      made += "\\n";
    } else if (c == '\t') {
      made += "\\t";
    } else {
      if (c == '"' || c == '\\') made += '\\';
      made += c;
    }
  }
  return made + "\"";
}

inline std::string pseudo_value(const lab::TomlValue& value) {
  if (const auto* text = std::get_if<std::string>(&value.value)) return toml_string(pseudo(*text));
  if (const auto* list = std::get_if<lab::TomlArray>(&value.value)) {
    std::string made = "[";
    for (const lab::TomlValue& each : *list) made += pseudo_value(each) + ", ";
    return made + "]";
  }
  return *value.scalar_text();
}

/// A table of strings; `fixed` are keys whose values are no prose.
inline std::string pseudo_toml(const lab::TomlTable& table, const std::string& prefix = {}) {
  std::string own, inner;
  for (const auto& [name, value] : table) {
    const std::string key = "\"" + name + "\"";
    if (const auto* below = std::get_if<lab::TomlTable>(&value.value)) {
      inner += pseudo_toml(*below, prefix + key + ".");
    } else if (const auto* list = std::get_if<lab::TomlArray>(&value.value);
               list && !list->empty() &&
               std::holds_alternative<lab::TomlTable>(list->front().value)) {
      for (const lab::TomlValue& each : *list)
        inner += fmt::format("[[{}{}]]\n", prefix, key) + [&] {
          std::string rows;
          for (const auto& [inside, held] : std::get<lab::TomlTable>(each.value)) {
            const auto* text = std::get_if<std::string>(&held.value);
            rows += inside + " = " + (text ? toml_string(*text) : pseudo_value(held)) + "\n";
          }
          return rows;
        }();
    } else {
      own += key + " = " + pseudo_value(value) + "\n";
    }
  }
  if (prefix.empty()) return own + inner;
  const std::string head = "[" + prefix.substr(0, prefix.size() - 1) + "]\n";
  return (own.empty() ? "" : head + own) + inner;
}

/// A book below a folder of its own that has the language xx beside those of the source folder.
class PseudoBook {
 public:
  PseudoBook() {
    namespace fs = std::filesystem;
    const fs::path source = WARPBOOK_SOURCE_DIR;
    for (const char* room : {"lang", "lessons", "exercises"})
      fs::create_directories(folder_.path() / room);
    for (const auto& entry : fs::directory_iterator(source)) {
      const std::string name = entry.path().filename().string();
      if (!fs::exists(folder_.path() / name)) fs::create_symlink(entry, folder_.path() / name);
    }
    for (const auto& entry : fs::directory_iterator(source / "lang"))
      fs::create_directory_symlink(entry, folder_.path() / "lang" / entry.path().filename());
    for (const auto& entry : fs::directory_iterator(source / "lang" / "en")) {
      const std::string name = entry.path().filename().string();
      folder_.write("lang/xx/" + name, name == "language.toml"
                                           ? "name = \"Pseudo\"\nhtml = \"en\"\n"
                                           : toml(entry.path()));
    }
    for (const char* room : {"lessons", "exercises"}) {
      for (const auto& entry : fs::directory_iterator(source / room)) translate(room, entry.path());
    }
  }
  [[nodiscard]] std::string path() const { return folder_.path().string(); }

 private:
  static std::string read(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static std::string toml(const std::filesystem::path& file) {
    const auto table = lab::parse_toml(read(file), file.string());
    if (!table) throw std::runtime_error(table.error().english());
    return pseudo_toml(std::get<lab::TomlTable>(table->value));
  }
  void translate(const std::string& room, const std::filesystem::path& from) {
    namespace fs = std::filesystem;
    const std::string below = room + "/" + from.filename().string();
    if (!fs::is_directory(from)) {
      fs::create_symlink(from, folder_.path() / below);
      return;
    }
    fs::create_directories(folder_.path() / below);
    for (const auto& entry : fs::directory_iterator(from)) {
      const std::string name = entry.path().filename().string();
      fs::create_symlink(entry, folder_.path() / below / name);
      if (name == "en.md") folder_.write(below + "/xx.md", pseudo_markdown(read(entry.path())));
      if (name == "strings.en.toml") folder_.write(below + "/strings.xx.toml", toml(entry.path()));
      if (name == "exercise.en.toml")
        folder_.write(below + "/exercise.xx.toml", toml(entry.path()));
    }
  }

  TemporaryFolder folder_;
};

/// `text` without what CUDA's errors say, which is English in every language.
inline std::string without_cuda_errors(std::string text) {
  constexpr std::int32_t kLastError = 999;
  for (std::int32_t error = 1; error <= kLastError; ++error) {
    const std::string says = device::runtime::text_of_cuda_error(error);
    for (auto at = text.find(says); at != text.npos; at = text.find(says))
      text.erase(at, says.size());
  }
  return text;
}

/// The words of an English sentence in `text` that bear none of xx's accents: articles, conjunctions and verbs that no
/// identifier, unit or name of a thing is made of. Where there is one, code said it and not lang/. None in a comment of a kernel.
inline std::vector<std::string> english_in(const std::string& whole) {
  if (whole.starts_with("//")) return {};
  const std::string text = without_cuda_errors(whole);
  static const std::regex english(
      R"((^|[ (\"])(the|of|is|are|was|were|that|which|with|from|than|because|but|what|where|when|has|have|had|its|their|there|does|could|should|would|already|another|others|nothing|nobody|every|still)(?=$|[ ,.;:)?]))",
      std::regex::icase);
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), english), end; match != end; ++match)
    found.push_back((*match)[2]);
  return found;
}

}  // namespace warpbook::tests
