// Folders of an instructor's own: exercises and chapters, in the tree or in a course's folder that is linked into it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "device/error.hpp"

namespace warpbook::cli {

/// "my-filter" is a name of a folder and, with _ for -, of a function in C++.
bool is_own_name(std::string_view name);

/// The words that templates have between @ signs.
struct TemplateWords {
  std::string id, chapter;
};

/// Writes the templates of cli/templates/<kind> below `to`, with the words filled in, and returns the files. Nothing is replaced, neither
/// there nor in the tree, into which a course's folder is linked. Errors: file_unwritable, also where something of that name is there
/// already, and then nothing was written; file_unreadable.
device::Expected<std::vector<std::filesystem::path>> write_templates(
    const std::filesystem::path& root, const std::string& kind, const TemplateWords& words,
    const std::filesystem::path& to);

/// Links the exercises, solutions and chapters of a course's folder into the tree, and returns the new links. Errors: file_unreadable,
/// where it is no folder with any of these; file_unwritable, where something else of that name is there.
device::Expected<std::vector<std::filesystem::path>> link_course(
    const std::filesystem::path& root, const std::filesystem::path& course);

/// Puts the chapters of the tree that lessons/catalogue.cpp does not name at its end. Error: file_unwritable.
device::Expected<void> list_own_chapters(const std::filesystem::path& root);

}  // namespace warpbook::cli
