// A language for tests, which says of each string its key and its arguments. So a test of a sentence, a text or a page asserts
// what is said and of what, and the wording may change without it.
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "lab/text/strings.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests {

/// "{name} holds {elements}." of the key tensor.list -> "tensor.list(name={name}, elements={elements})".
inline std::string key_pattern(std::string key, std::string_view pattern) {
  std::string arguments;
  // Which of the two forms is chosen says the count.
  for (const std::string_view plural : {".one", ".other"}) {
    if (!key.ends_with(plural)) continue;
    key.resize(key.size() - plural.size());
    arguments = "count={count}";
  }
  for (std::size_t open = pattern.find('{'); open != std::string_view::npos;
       open = pattern.find('{', open + 1)) {
    const std::size_t close = pattern.find('}', open);
    if (close == std::string_view::npos) break;
    const std::string name(pattern.substr(open + 1, close - open - 1));
    const std::string said = name + "={" + name + "}";
    if (arguments.find(said) == std::string::npos)
      arguments += (arguments.empty() ? "" : ", ") + said;
  }
  return arguments.empty() ? key : key + "(" + arguments + ")";
}

/// The strings of that language, made from the English ones. What joins the parts of a list stays as it is.
inline std::shared_ptr<const lab::Strings> key_strings() {
  static const auto made = [] {
    const auto english = lab::Strings::load(lab::kEnglish, WARPBOOK_SOURCE_DIR);
    if (!english) throw std::runtime_error(english.error().english());
    std::string table;
    for (const auto& [key, pattern] : (*english)->all()) {
      const std::string said = key.starts_with("list.") ? pattern : key_pattern(key, pattern);
      // A separator of lines is a line end itself, which is written as an escape.
      table += "\"" + key + "\" = " + (said == "\n" ? "\"\\n\"" : "'" + said + "'") + "\n";
    }
    const TemporaryFolder root;
    root.write("lang/keys/language.toml", "name = \"keys\"\nhtml = \"en\"\n");
    root.write("lang/keys/all.toml", table);
    auto keys = lab::Strings::load("keys", root.path().string());
    if (!keys) throw std::runtime_error(keys.error().english());
    return *keys;
  }();
  return made;
}

}  // namespace warpbook::tests
