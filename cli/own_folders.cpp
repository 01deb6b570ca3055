#include "cli/own_folders.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <system_error>
#include <utility>

#include "device/platform.hpp"

namespace warpbook::cli {
namespace {

namespace fs = std::filesystem;
using device::ErrorCode;
using device::Expected;

constexpr std::string_view kTemplate = ".in";  // so that no build takes check.cpp.in for a source
constexpr std::array kLinked{"exercises", "solutions", "lessons"};

/// The name in C++.
std::string function_name(std::string id) {
  std::ranges::replace(id, '-', '_');
  return id;
}

std::string filled(std::string text, const TemplateWords& words) {
  const std::array<std::pair<std::string_view, std::string>, 3> known{
      {{"@ID@", words.id}, {"@NAME@", function_name(words.id)}, {"@CHAPTER@", words.chapter}}};
  for (const auto& [mark, word] : known) {
    for (std::size_t at = text.find(mark); at != std::string::npos;
         at = text.find(mark, at + word.size()))
      text.replace(at, mark.size(), word);
  }
  return text;
}

tl::unexpected<device::Error> unwritable(const fs::path& file, device::Message why) {
  return device::failure(ErrorCode::file_unwritable,
                         {{"file", file.string()}, {"why", std::move(why)}});
}

tl::unexpected<device::Error> unreadable(const fs::path& file, device::Message why) {
  return device::failure(ErrorCode::file_unreadable,
                         {{"file", file.string()}, {"why", std::move(why)}});
}

Expected<std::vector<fs::path>> files_below(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  fs::recursive_directory_iterator found(folder, error), end;
  for (; !error && found != end; found.increment(error)) {
    if (found->is_regular_file()) files.push_back(found->path());
  }
  if (error) return unreadable(folder, device::Message::plain(error.message()));
  std::ranges::sort(files);
  return files;
}

/// What of a file below a course's folder is linked: the first two names of its path, as a room and the exercise in it.
fs::path linked_part(const fs::path& file) {
  const auto room = file.begin();
  return *room / *std::next(room);
}

/// Adds the link to `made`, unless it is there already.
Expected<void> link_one(const fs::path& target, const fs::path& link, std::vector<fs::path>& made) {
  std::error_code error;
  if (fs::is_symlink(fs::symlink_status(link, error)) && fs::read_symlink(link, error) == target)
    return {};
  if (fs::exists(fs::symlink_status(link, error)))
    return unwritable(link, {"phrase.own.in-the-way", {{"target", target.string()}}, {}});
  fs::create_symlink(target, link, error);
  if (error) return unwritable(link, device::Message::plain(error.message()));
  made.push_back(link);
  return {};
}

/// The slugs of the folders that hold a chapter.
std::vector<std::string> chapters_of(const fs::path& root) {
  std::vector<std::string> slugs;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(root / "lessons", error)) {
    if (fs::exists(entry.path() / "lesson.cpp", error) &&
        fs::exists(entry.path() / "teach.md", error))
      slugs.push_back(entry.path().filename().string());
  }
  std::ranges::sort(slugs);
  return slugs;
}

}  // namespace

bool is_own_name(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  return !name.empty() && name.front() >= 'a' && name.front() <= 'z' && name.back() != '-' &&
         std::ranges::all_of(name, fits) && name.find("--") == name.npos;
}

Expected<std::vector<fs::path>> write_templates(const fs::path& root, const std::string& kind,
                                                const TemplateWords& words, const fs::path& to) {
  const fs::path from = root / "cli" / "templates" / kind;
  const auto files = files_below(from);
  if (!files) return tl::unexpected(files.error());
  std::vector<fs::path> targets;
  for (const fs::path& file : *files) {
    std::string name = filled(file.lexically_relative(from).string(), words);
    if (name.ends_with(kTemplate)) name.resize(name.size() - kTemplate.size());
    targets.push_back(to / name);
    for (const fs::path& place : {to, root}) {
      const fs::path own = place / linked_part(name);
      std::error_code ignored;
      if (fs::exists(fs::symlink_status(own, ignored)))
        return unwritable(own, {"phrase.own.is-there", {}, {}});
    }
  }
  for (std::size_t i = 0; i < files->size(); ++i) {
    const auto text = device::read_file((*files)[i]);
    if (!text) return tl::unexpected(text.error());
    const auto written = device::write_file_atomically(targets[i], filled(*text, words));
    if (!written) return tl::unexpected(written.error());
  }
  return targets;
}

Expected<std::vector<fs::path>> link_course(const fs::path& root, const fs::path& course) {
  std::error_code ignored;
  if (!fs::is_directory(course, ignored))
    return unreadable(course, {"phrase.own.no-folder", {}, {}});
  const auto there = [&](const char* room) { return fs::is_directory(course / room, ignored); };
  if (std::ranges::none_of(kLinked, there))
    return unreadable(course, {"phrase.own.no-course", {}, {}});
  std::vector<fs::path> made;
  for (const char* room : kLinked) {
    std::vector<fs::path> own;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(course / room, error))
      own.push_back(fs::absolute(entry.path()).lexically_normal());
    std::ranges::sort(own);
    for (const fs::path& target : own) {
      if (target.filename().string().starts_with('.')) continue;
      const auto linked = link_one(target, root / room / target.filename(), made);
      if (!linked) return tl::unexpected(linked.error());
    }
  }
  return made;
}

Expected<void> list_own_chapters(const fs::path& root) {
  const fs::path file = root / "lessons" / "catalogue.cpp";
  auto text = device::read_file(file);
  if (!text) return tl::unexpected(text.error());
  const std::string before = *text;
  // The declarations end with the scratch page's, which is no chapter, and the chapters with the list's bracket.
  const std::string last_declaration = "lab::Lesson scratch_page();\n", end_of_list = "  };\n";
  for (const std::string& slug : chapters_of(root)) {
    const std::string name = function_name(slug);
    const bool named = text->find("lab::Lesson " + name + "();\n") != std::string::npos ||
                       text->find("lab::Lesson " + name + "_chapter();\n") != std::string::npos;
    if (named) continue;
    const std::size_t declared = text->find(last_declaration);
    const std::size_t listed = text->find(end_of_list, declared);
    if (listed == std::string::npos || declared == std::string::npos)
      return unwritable(file, {"phrase.own.no-list", {}, {}});
    text->insert(listed, "      " + name + "_chapter(),\n");
    text->insert(declared, "lab::Lesson " + name + "_chapter();\n");
  }
  if (*text == before) return {};
  const auto written = device::write_file_atomically(file, *text);
  if (!written) return tl::unexpected(written.error());
  return {};
}

}  // namespace warpbook::cli
