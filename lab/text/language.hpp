// The languages that there are: the folders of lang/. All that differs from one to another is data there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "device/error.hpp"

namespace warpbook::lab {

/// The language that a reader gets whose own there is not, and that of JSON.
inline constexpr const char* kEnglish = "en";

/// lang/<code>/language.toml, whose comments say what each is for.
struct Language {
  std::string code = kEnglish;  ///< the folder's name; chapters' texts are <code>.md
  std::string name, html;
  float extra_leading = 0;  ///< points
  float measure = 583;      ///< points
  bool han_marks = false;
  bool closes_up = false;
};

device::Expected<Language> load_language(const std::string& code, const std::string& root);
/// The language's own name for itself ("中文"); the code where there is no such language.
std::string language_name(const std::string& code, const std::string& root);

/// The codes of all languages below `root`: English, then the others in alphabetical order.
std::vector<std::string> language_codes(const std::string& root);
/// The languages of those codes; one that cannot be read is left out.
std::vector<Language> known_languages(const std::string& root);
/// The one of LC_ALL, LC_MESSAGES or LANG, the first that is set; English where there is no such language.
std::string language_of_locale(const std::string& root);

}  // namespace warpbook::lab
