#include "tests/architecture/rooms.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <set>
#include <utility>

namespace warpbook::architecture {
namespace {

std::vector<std::string> strings(const toml::node_view<const toml::node>& node) {
  std::vector<std::string> result;
  if (!node) return result;
  for (const toml::node& value : *node.as_array())
    result.push_back(value.value<std::string>().value());
  return result;
}

std::map<std::string, std::vector<std::string>> lists(const toml::table& table) {
  std::map<std::string, std::vector<std::string>> result;
  for (const auto& [key, list] : table)
    result[std::string(key.str())] = strings(toml::node_view<const toml::node>(list));
  return result;
}

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? "" : std::string(path.substr(0, slash));
}

std::string top_folder(std::string_view path) {
  return std::string(path.substr(0, path.find('/')));
}

bool is_inside(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

/// The line that holds for all folders beside this one: "exhibits/*" for "exhibits/tensor".
std::string pattern_beside(const std::string& folder) {
  const std::string parent = folder_of(folder);
  return parent.empty() ? "*" : parent + "/*";
}

bool opens(const std::vector<std::string>& open, std::string_view header) {
  return std::ranges::any_of(open, [&](const std::string& name) {
    return name.ends_with('/') ? header.starts_with(name) : header == name;
  });
}

/// A sub-room, and the line of the table that holds for it: its own, or its pattern's.
struct SubRoom {
  std::string name, line;
};

/// The sub-room of a file in `folder`, a path within the divided room ("": the room's own folder): the deepest that the table
/// names. Nothing where it names none.
std::optional<SubRoom> sub_room_of(const SubRooms& table, std::string folder) {
  if (folder.empty()) {
    return table.contains(".") ? std::optional(SubRoom{".", "."}) : std::nullopt;
  }
  for (; !folder.empty(); folder = folder_of(folder)) {
    if (table.contains(folder)) return SubRoom{folder, folder};
    if (const std::string pattern = pattern_beside(folder); table.contains(pattern))
      return SubRoom{folder, pattern};
  }
  return std::nullopt;
}

std::string folder_within(std::string_view file, std::string_view room) {
  const std::string folder = folder_of(file);
  return folder.size() <= room.size() ? "" : folder.substr(room.size() + 1);
}

std::string joined(const std::vector<std::string>& names, std::string_view separator) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += separator;
    text += name;
  }
  return text;
}

/// Arrows between the lines of one table.
using Graph = std::map<std::string, std::set<std::string>>;

/// The lines that a name in a list stands for: a pattern stands for itself and for every line that it covers.
std::set<std::string> lines_of(const SubRooms& table, const std::string& name) {
  std::set<std::string> lines;
  if (table.contains(name)) lines.insert(name);
  for (const auto& [line, open] : table)
    if (pattern_beside(line) == name && line != ".") lines.insert(line);
  if (lines.empty() && table.contains(pattern_beside(name))) lines.insert(pattern_beside(name));
  return lines;
}

Graph graph_of(const SubRooms& table) {
  Graph graph;
  for (const auto& [line, open] : table) {
    graph[line];
    for (const std::string& name : open) {
      for (const std::string& other : lines_of(table, name)) {
        // "exhibits/comparison" may include "exhibits/*", which covers it. But a pattern that opens what it covers is a circle.
        if (other != line || name == line || line.ends_with('*')) graph[line].insert(other);
      }
    }
  }
  return graph;
}

/// A way along the arrows, at least one, both ends named; empty if there is none.
std::vector<std::string> way(const Graph& graph, const std::string& from, const std::string& to) {
  std::map<std::string, std::string> before;
  std::vector<std::string> reached{from};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const std::string at = reached[i];
    if (!graph.contains(at)) continue;
    for (const std::string& next : graph.at(at)) {
      if (next == to) {
        std::vector<std::string> found{to, at};
        for (std::string back = at; back != from; found.push_back(back)) back = before.at(back);
        std::ranges::reverse(found);
        return found;
      }
      if (before.emplace(next, at).second) reached.push_back(next);
    }
  }
  return {};
}

/// Why one sub-room of `room` may not include another.
std::string why_not(const std::string& room, const SubRooms& table, const SubRoom& from,
                    const SubRoom& to) {
  std::vector<std::string> back = way(graph_of(table), to.line, from.line);
  // Of two folders that share one line the table says nothing of each by itself.
  const bool said_of_both = from.line.ends_with('*') && pattern_beside(to.name) == from.line;
  if (!back.empty() && !said_of_both) {
    back.front() = to.name;
    back.back() = from.name;
    return "that arrow would run back, against " + joined(back, " -> ");
  }
  const std::vector<std::string>& open = table.at(from.line);
  return "of " + room + "/ it may include " + (open.empty() ? "nothing" : joined(open, ", "));
}

/// What is wrong between the sub-rooms of one room that both the file and the header are in.
std::optional<std::string> violation_inside(const std::string& room, const SubRooms& table,
                                            std::string_view file, std::string_view header) {
  const auto from = sub_room_of(table, folder_within(file, room));
  const auto to = sub_room_of(table, folder_within(header, room));
  if (!from || !to) {
    return "rooms.toml has no line in [inside." + room + "] for " + folder_of(from ? header : file);
  }
  if (from->name == to->name) return std::nullopt;
  const bool open = std::ranges::any_of(table.at(from->line), [&](const std::string& name) {
    return name == to->name || name == to->line || name == pattern_beside(to->name);
  });
  if (open) return std::nullopt;
  const std::string own = from->name == "." ? room : room + "/" + from->name;
  return own + " may not include " + std::string(header) + ": " + why_not(room, table, *from, *to);
}

std::optional<std::string> violation_outside(const Rooms& rooms, std::string_view file,
                                             const std::string& room, bool in_tests,
                                             const Include& include) {
  for (const Rooms::Outside& rule : rooms.outside) {
    const auto begins = [&](const std::string& start) { return include.header.starts_with(start); };
    if (std::ranges::none_of(rule.headers, begins)) continue;
    for (const std::string& folder : rule.not_in)
      if (is_inside(file, folder)) return rule.what + " are not for " + folder;
    for (const std::string& allowed : rule.rooms)
      if (allowed == room || (allowed == "tests" && in_tests)) return std::nullopt;
    return rule.what + " are not for " + room;
  }
  return std::nullopt;
}

}  // namespace

Rooms read_rooms(std::string_view text) {
  const toml::table toml = toml::parse(text);
  Rooms rooms;
  rooms.rooms = lists(*toml["rooms"].as_table());
  if (const toml::table* inside = toml["inside"].as_table()) {
    for (const auto& [room, table] : *inside)
      rooms.inside[std::string(room.str())] = lists(*table.as_table());
  }
  if (const toml::table* files = toml["files"].as_table()) rooms.files = lists(*files);
  if (const toml::array* outside = toml["outside"].as_array()) {
    for (const toml::node& node : *outside) {
      const toml::node_view<const toml::node> rule(node);
      rooms.outside.push_back({rule["what"].value<std::string>().value(), strings(rule["headers"]),
                               strings(rule["rooms"]), strings(rule["not_in"])});
    }
  }
  rooms.generated = strings(toml["generated"]["headers"]);
  rooms.test_folders = strings(toml["tests"]["folders"]);
  return rooms;
}

std::optional<std::string> violation(const Rooms& rooms, std::string_view file,
                                     const Include& include) {
  const bool in_tests = file.starts_with("tests/");
  const std::string room = top_folder(in_tests ? file.substr(6) : file);
  if (!include.quoted) return violation_outside(rooms, file, room, in_tests, include);

  const std::string target = top_folder(include.header);
  if (target == "tests")
    return in_tests ? std::nullopt : std::optional<std::string>("only tests include tests");
  if (!rooms.rooms.contains(target))
    return "a quoted name starts at the root, with a room; other libraries stand in <>";
  if (const auto open = rooms.files.find(std::string(file));
      open != rooms.files.end() && opens(open->second, include.header)) {
    return std::nullopt;
  }
  if (target == room) {
    // A test may look into every sub-room of its room.
    if (in_tests) return std::nullopt;
    for (const auto& [folder, table] : rooms.inside) {
      if (!is_inside(file, folder) || !is_inside(include.header, folder)) continue;
      if (auto wrong = violation_inside(folder, table, file, include.header)) return wrong;
    }
    return std::nullopt;
  }
  const auto own = rooms.rooms.find(room);
  // A folder of tests that is no room (main, bench) tests across rooms.
  if (own == rooms.rooms.end() && in_tests) return std::nullopt;
  if (own == rooms.rooms.end()) return room + " is not a room";
  if (opens(own->second, include.header)) return std::nullopt;
  return room + " may not include " + include.header;
}

std::vector<std::string> faults(const Rooms& rooms) {
  std::vector<std::string> faults;
  const auto look_for_circles = [&](const std::string& table, const Graph& graph) {
    std::set<std::string> said;
    for (const auto& [line, arrows] : graph) {
      const std::vector<std::string> circle = way(graph, line, line);
      if (circle.empty() || said.contains(line)) continue;
      said.insert(circle.begin(), circle.end());
      faults.push_back("[" + table + "] runs in a circle: " + joined(circle, " -> "));
    }
  };
  Graph top;
  for (const auto& [room, open] : rooms.rooms)
    for (const std::string& name : open) top[room].insert(top_folder(name));
  look_for_circles("rooms", top);
  for (const auto& [folder, table] : rooms.inside) {
    look_for_circles("inside." + folder, graph_of(table));
    for (const auto& [line, open] : table) {
      for (const std::string& name : open) {
        if (lines_of(table, name).empty())
          faults.push_back("[inside." + folder + "] " + line + " names " + name +
                           ", which has no line");
      }
    }
  }
  return faults;
}

std::vector<std::string> strangers(const Rooms& rooms, const std::vector<SourceFile>& files) {
  std::set<std::string> strangers;
  std::map<std::string, std::set<std::string>> lines_used;
  for (const SourceFile& file : files) {
    const std::string room = top_folder(file.path);
    if (!rooms.rooms.contains(room)) continue;
    if (!rooms.inside.contains(room) && folder_of(file.path) != room)
      strangers.insert("rooms.toml has no [inside." + room + "] for " + folder_of(file.path));
    for (const auto& [folder, table] : rooms.inside) {
      if (!is_inside(file.path, folder)) continue;
      if (const auto own = sub_room_of(table, folder_within(file.path, folder))) {
        lines_used[folder].insert(own->line);
      } else {
        strangers.insert("rooms.toml has no line in [inside." + folder + "] for " +
                         folder_of(file.path));
      }
    }
  }
  for (const auto& [folder, table] : rooms.inside)
    for (const auto& [line, open] : table)
      if (!lines_used[folder].contains(line))
        strangers.insert("[inside." + folder + "] has a line for " + line +
                         ", which holds no file");
  return {strangers.begin(), strangers.end()};
}

}  // namespace warpbook::architecture
