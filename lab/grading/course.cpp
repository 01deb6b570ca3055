#include "lab/grading/course.hpp"

#include <algorithm>

#include "device/platform.hpp"
#include "lab/text/toml_value.hpp"

namespace warpbook::lab {
namespace {

constexpr std::int64_t kMostGrace = std::int64_t{365} * 24 * 60;  // minutes

std::string below(const std::filesystem::path& folder, const std::string& name) {
  return name.empty() ? std::string() : (folder / name).string();
}

Assignment read_assignment(const TomlValue& table, const std::filesystem::path& folder,
                           TomlReader& outer) {
  TomlReader reader("assignment", table, outer.file());
  Assignment assignment;
  assignment.name = reader.text("name");
  assignment.exercises = reader.texts("exercises");
  assignment.due = reader.optional_text("due");
  assignment.late = reader.optional_text("late");
  assignment.column = reader.optional_text("column");
  assignment.overrides = below(folder, reader.optional_text("overrides"));
  const std::int64_t grace = reader.optional_integer("grace").value_or(0);
  if (grace < 0 || grace > kMostGrace) {
    reader.refuse("grace", device::Message::plain(std::to_string(grace)),
                  {"phrase.handed.minutes", {}, {}});
  }
  assignment.grace = static_cast<std::uint32_t>(std::clamp<std::int64_t>(grace, 0, kMostGrace));
  if (auto error = reader.finish()) outer.keep(std::move(*error));
  return assignment;
}

}  // namespace

device::Expected<Course> load_course(const std::filesystem::path& folder) {
  const std::string file = (folder / "course.toml").string();
  const auto text = device::read_file(file, 1u << 20);
  if (!text) return tl::unexpected(text.error());
  const auto table = parse_toml(*text, file);
  if (!table) return tl::unexpected(table.error());
  TomlReader reader("course.toml", *table, file);
  Course course;
  if (const auto seed = reader.optional_integer("seed"))
    course.seed = static_cast<std::uint64_t>(*seed);
  course.roster = below(folder, reader.optional_text("roster"));
  for (const TomlValue* each : reader.tables("assignment"))
    course.assignments.push_back(read_assignment(*each, folder, reader));
  if (auto error = reader.finish()) return tl::unexpected(std::move(*error));
  return course;
}

device::Expected<Assignment> assignment_named(const Course& course, const std::string& name) {
  if (name.empty() && course.assignments.size() == 1) return course.assignments.front();
  const auto found = std::ranges::find(course.assignments, name, &Assignment::name);
  if (found != course.assignments.end()) return *found;
  std::vector<std::string> known;
  for (const Assignment& each : course.assignments) known.push_back(each.name);
  return device::failure(device::ErrorCode::unknown_name,
                         {{"kind", device::Message{"phrase.kind.assignment", {}, {}}},
                          {"name", name},
                          {"known", listed(known)}});
}

}  // namespace warpbook::lab
