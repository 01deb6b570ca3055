#include "lab/exhibits/geometry/geometry.hpp"

#include <algorithm>
#include <bit>

#include "lab/exhibits/geometry/geometry_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/json.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/model/global_accesses.hpp"
#include "lab/model/warps.hpp"

namespace warpbook::lab {
namespace {

constexpr double kLaunchPageWidth = 640;
constexpr std::uint64_t kMostWarps = 65'536;  ///< whose lanes a geometry tells apart

}  // namespace

std::string sentence_of(const GeometryExhibit& geometry, const Strings& strings) {
  if (geometry.threads == 0) return strings("geometry.nothing", {{"kernel", geometry.kernel}});
  const std::string shape = strings(
      "geometry.shape", {{"threads", counted(strings, "count.threads", geometry.threads)},
                         {"blocks", counted(strings, "count.blocks", geometry.grid.count())},
                         {"block", extent(geometry.block)}});
  std::string work;
  if (!geometry.idle_known) {
    work = strings(geometry.stopped ? "geometry.idle-unknown-stopped" : "geometry.idle-unknown");
  } else if (geometry.idle == 0) {
    work = counted(strings, "geometry.none-idle", geometry.threads);
  } else if (geometry.idle >= geometry.threads) {
    work = counted(strings, "geometry.all-idle", geometry.threads);
  } else {
    std::uint64_t blocks = 0;
    if (!geometry.stored.empty() && geometry.grid.count() > 1) {
      for (std::uint64_t block = 0; block < geometry.grid.count(); ++block)
        blocks += idle_in(geometry, block).value_or(0) != 0 ? 1 : 0;
    }
    work = blocks == 0 ? counted(strings, "geometry.idle", geometry.idle)
                       : strings("geometry.idle-in",
                                 {{"count", grouped(blocks)}, {"idle", grouped(geometry.idle)}});
  }
  return shape + strings("list.clauses") + work;
}

void text_body(const GeometryExhibit& geometry, const Strings& strings, Page& page) {
  const auto part = [&](std::string_view name, const std::string& value) {
    return page.ink(Ink::quiet, strings(name)) + " " + page.ink(Ink::strong, value);
  };
  const std::string idle =
      geometry.idle_known ? grouped(geometry.idle) : strings("geometry.unknown");
  page.line("  " + part("geometry.grid", extent(geometry.grid)) + "   " +
            part("geometry.block", extent(geometry.block)) + "   " +
            part("geometry.threads", grouped(geometry.threads)) + "   " +
            part("geometry.idle-threads", idle));
}

std::string html_body(const GeometryExhibit& geometry, const Strings& strings,
                      const std::string& caption) {
  const auto part = [&](std::string_view name, const std::string& value) {
    return tagged("div", "",
                  tagged("dt", "", escaped(strings(name))) + tagged("dd", "", escaped(value)));
  };
  const std::string idle =
      geometry.idle_known ? grouped(geometry.idle) : strings("geometry.unknown");
  std::string html = tagged("dl", "wb-figures",
                            part("geometry.grid", extent(geometry.grid)) +
                                part("geometry.block", extent(geometry.block)) +
                                part("geometry.threads", grouped(geometry.threads)) +
                                part("geometry.idle-threads", idle));
  if (geometry.threads != 0)
    html += svg_of(drawing_of(geometry, svg_canvas(kLaunchPageWidth, strings)), caption);
  return html;
}

Table table_of(const GeometryExhibit& geometry, const Strings& strings) {
  Table table{{strings("table.quantity"), "x", "y", "z"}, {}};
  const auto three = [&](std::string_view name, const device::Dim3& d) {
    table.rows.push_back({strings("table." + std::string(name)), std::to_string(d.x),
                          std::to_string(d.y), std::to_string(d.z)});
  };
  three("grid", geometry.grid);
  three("block", geometry.block);
  table.rows.push_back({strings("table.threads"), std::to_string(geometry.threads), "", ""});
  if (geometry.idle_known)
    table.rows.push_back({strings("table.idle"), std::to_string(geometry.idle), "", ""});
  return table;
}

void compare(const GeometryExhibit& a, const GeometryExhibit& b, Comparer& comparer) {
  comparer.figure("blocks", figure_of(a.grid.count()), figure_of(b.grid.count()));
  comparer.figure("threads_a_block", figure_of(a.block.count()), figure_of(b.block.count()));
  comparer.figure("threads", figure_of(a.threads), figure_of(b.threads));
  const auto idle = [](const GeometryExhibit& geometry) {
    return geometry.idle_known ? figure_of(geometry.idle) : std::nullopt;
  };
  comparer.figure("idle_threads", idle(a), idle(b));
}

std::optional<std::uint32_t> idle_in(const GeometryExhibit& geometry, std::uint64_t block) {
  const std::uint64_t threads = geometry.block.count(), warps = warps_in(geometry.block);
  if ((block + 1) * warps > geometry.stored.size()) return {};
  const auto first = geometry.stored.begin() + static_cast<std::ptrdiff_t>(block * warps);
  std::uint64_t storing = 0;
  for (auto warp = first; warp != first + static_cast<std::ptrdiff_t>(warps); ++warp)
    storing += static_cast<std::uint64_t>(std::popcount(*warp));
  return static_cast<std::uint32_t>(threads - std::min(storing, threads));
}

std::optional<bool> has_stored(const GeometryExhibit& geometry, std::uint64_t block,
                               std::uint64_t thread) {
  const std::uint64_t warp = block * warps_in(geometry.block) + thread / device::kLanes;
  if (thread >= geometry.block.count() || warp >= geometry.stored.size()) return {};
  return (geometry.stored[warp] >> thread % device::kLanes & 1) != 0;
}

GeometryExhibit geometry_of(const device::LaunchRecord& record) {
  const std::uint64_t threads = record.grid.count() * record.block.count();
  std::vector<std::uint64_t> storing;
  for_each_global_access(record, [&](const GlobalAccess& access) {
    if (access.kind != device::AccessKind::load) {
      storing.push_back(access.block * record.block.count() + access.thread);
    }
  });
  std::ranges::sort(storing);
  const auto repeated = std::ranges::unique(storing);
  storing.erase(repeated.begin(), repeated.end());
  const bool stopped = stopped_by_budget(record);
  GeometryExhibit geometry{record.kernel,
                           record.grid,
                           record.block,
                           threads,
                           threads - storing.size(),
                           !record.trace_cut && !stopped,
                           stopped,
                           {}};
  const std::uint64_t warps = warps_in(record.block);
  if (!geometry.idle_known || record.grid.count() * warps > kMostWarps) return geometry;
  geometry.stored.resize(record.grid.count() * warps);
  for (const std::uint64_t who : storing) {
    const std::uint64_t block = who / record.block.count(), thread = who % record.block.count();
    geometry.stored[block * warps + thread / device::kLanes] |= 1u << thread % device::kLanes;
  }
  return geometry;
}

std::string_view style_of(std::type_identity<GeometryExhibit> /*kind*/) {
  return R"css(.wb-figures { display: flex; gap: 24px; margin: 0; }
.wb-figures dt { color: var(--t3); font-size: 13px; }
.wb-figures dd { margin: 0; }
)css";
}

void extras(JsonExtras& json, const GeometryExhibit& geometry) {
  json("idle", [&] { return geometry.idle_known ? std::optional(geometry.idle) : std::nullopt; });
  json.leave_out("idle_known");
}

}  // namespace warpbook::lab
