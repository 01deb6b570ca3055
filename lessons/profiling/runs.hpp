// The chapter's runs: one job, the anomalies of a table's rows, in several versions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/experiment/lesson.hpp"

namespace warpbook::lessons::profiling {

inline constexpr std::int64_t kYear = 8760;  ///< hours of a station: readings
inline constexpr std::int64_t kThreads =
    256;  ///< of a block, but for the version with a thread for each row

/// What the reader chose: a table of stations, cut into rows of so many hours.
struct Table {
  explicit Table(lab::Lab& lab);

  std::int64_t rows = 0, hours = 0;
  std::int64_t block = 0;  ///< threads of a block where each thread has a row
};

/// Who has a row.
enum class Owner : std::uint8_t { thread, warp, block };

struct Version {
  std::string
      name;  ///< of its file in variants/, and of the slot of a version that a reader may edit
  Owner owner = Owner::block;
  bool edited = false;  ///< has a slot
};
/// From slow to fast, and one for short rows at the end.
const std::vector<Version>& versions();

/// A version that ran: on a few rows, to see whether it is right, and on the whole table, where only some blocks run.
struct Ran {
  Version version;
  std::optional<std::uint32_t> registers;              ///< of a thread
  std::shared_ptr<const device::LaunchRecord> record;  ///< of the whole table
};

/// The whole table on the device, where some blocks run for an estimate of the time. What its readings are decides no time.
class WholeTable {
 public:
  WholeTable(lab::Lab& lab, const Table& table);

  /// Anomalies of all rows.
  [[nodiscard]] std::shared_ptr<const device::LaunchRecord> run(
      const std::shared_ptr<const device::Module>& module, Owner owner,
      lab::Checking checking) const;
  /// The first version with the table stored by hour.
  [[nodiscard]] std::shared_ptr<const device::LaunchRecord> run_by_hour() const;
  /// Each hour of the year less the same hour a day before, a thread for each reading.
  [[nodiscard]] std::shared_ptr<const device::LaunchRecord> run_day_before() const;

 private:
  /// So many blocks of it run, fewer in a draft.
  [[nodiscard]] std::shared_ptr<const device::LaunchRecord> launch(device::Launch launch,
                                                                   std::int64_t blocks,
                                                                   lab::Checking checking) const;

  lab::Lab& lab_;
  const Table& table_;
  bool draft_;  ///< fewer blocks run, unchecked
  device::Buffer x_, out_;
};

/// Begins to compile all versions.
void compile_versions_soon(lab::Lab& lab, const Table& table);

/// One version. Where it has a slot, the exhibit "<slot>-check" says whether it is right.
Ran run_version(lab::Lab& lab, const Table& table, const Version& version,
                const device::Evidence& counted);

/// A station's year, and what is left of it without its mean: "year" and "left". Gives back what the host asked for.
lab::Message show_year(lab::Lab& lab, const device::Evidence& counted);

}  // namespace warpbook::lessons::profiling
