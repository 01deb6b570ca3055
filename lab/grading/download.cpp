#include "lab/grading/download.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <regex>
#include <utility>

#include "lab/grading/gradescope_metadata.hpp"

namespace warpbook::lab {
namespace {

constexpr std::string_view kMetadata = "submission_metadata.yml";

/// What the first part of a path, or a flat name, says. A part that a student chooses is always the last.
struct Parsed {
  Student student;
  bool late = false;
  std::uint64_t number = 0;
  std::string name;  ///< what the student called the file
};

std::uint64_t number_in(const std::string& digits) {
  std::uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

/// Names of files are short; a pattern is tried on no longer ones, because std::regex descends a level for each letter.
constexpr std::size_t kLongestName = 1000;

std::optional<Parsed> canvas_name(const std::string& part) {
  static const std::regex form(
      R"(^(?:([^/]*?)_)??(LATE_)?(\d+|anon_[A-Za-z0-9]+)_(\d+)_([\s\S]+)$)");
  std::smatch match;
  if (part.size() > kLongestName || !std::regex_match(part, match, form)) return {};
  return Parsed{{match[3], match[1], {}}, match[2].matched, number_in(match[4]), match[5]};
}

std::optional<Parsed> moodle_name(const std::string& part) {
  static const std::regex form(
      R"(^([^/]*)_(\d+)_assignsubmission_(?:file|onlinetext)(?:_([\s\S]*))?$)");
  std::smatch match;
  if (part.size() > kLongestName || !std::regex_match(part, match, form)) return {};
  return Parsed{{match[2], match[1], {}}, false, 0, match[3]};
}

/// One folder a student, or one file: the name of either is theirs.
Parsed folder_name(const std::string& part, bool folder) {
  const std::size_t dot = folder ? part.npos : part.find_last_of('.');
  return {{part.substr(0, dot), part.substr(0, dot), {}}, false, 0, folder ? "" : part};
}

std::string first_part(const std::string& path) { return path.substr(0, path.find('/')); }

bool is_moodle(const HandedFile& file) { return moodle_name(first_part(file.path)).has_value(); }
bool is_canvas(const HandedFile& file) { return canvas_name(first_part(file.path)).has_value(); }

/// Most files are of that form, so that a file somebody put beside them changes nothing.
template <class Is>
bool mostly(const std::vector<HandedFile>& files, const Is& is) {
  const auto count = static_cast<std::size_t>(std::ranges::count_if(files, is));
  return count != 0 && 2 * count > files.size();
}

/// Some systems put all of a download into one folder. It is taken off where what is below has a form, and it has none itself.
void take_off_common_folder(std::vector<HandedFile>& files) {
  if (files.empty()) return;
  const std::string top = first_part(files.front().path) + "/";
  const bool common = std::ranges::all_of(
      files, [&](const HandedFile& file) { return file.path.starts_with(top); });
  if (!common || is_moodle(files.front()) || is_canvas(files.front())) return;
  std::vector<HandedFile> below = files;
  for (HandedFile& file : below) file.path.erase(0, top.size());
  const bool metadata = std::ranges::find(below, kMetadata, &HandedFile::path) != below.end();
  if (metadata || mostly(below, is_moodle) || mostly(below, is_canvas)) files = std::move(below);
}

class Sorter {
 public:
  explicit Sorter(std::vector<HandedFile> files) : files_(std::move(files)) {}

  device::Expected<Download> sort() {
    take_off_common_folder(files_);
    const auto metadata = std::ranges::find(files_, kMetadata, &HandedFile::path);
    if (metadata != files_.end()) {
      const auto submissions = parse_gradescope_metadata(metadata->bytes);
      if (!submissions) return tl::unexpected(submissions.error());
      sorted_.form = DownloadForm::gradescope;
      for (const HandedFile& file : files_) add_of_gradescope(file, *submissions);
      return std::move(sorted_);
    }
    sorted_.form = mostly(files_, is_moodle)   ? DownloadForm::moodle
                   : mostly(files_, is_canvas) ? DownloadForm::canvas
                                               : DownloadForm::folders;
    for (const HandedFile& file : files_) add_by_name(file);
    return std::move(sorted_);
  }

 private:
  void add_of_gradescope(const HandedFile& file,
                         const std::map<std::string, GradescopeSubmission>& submissions) {
    if (file.path == kMetadata) return;
    const auto found = submissions.find(first_part(file.path));
    if (found == submissions.end() || found->second.submitters.empty()) {
      sorted_.nobodys.push_back(on_one_line(file.path));
      return;
    }
    for (const Student& student : found->second.submitters) {
      HandedIn handed = handed_in(file, {student, false, 0, ""});
      handed.when = found->second.when;
      sorted_.files.push_back(std::move(handed));
    }
  }

  void add_by_name(const HandedFile& file) {
    const std::string first = first_part(file.path);
    const bool folder = first.size() != file.path.size();
    std::optional<Parsed> parsed;
    if (sorted_.form == DownloadForm::moodle) parsed = moodle_name(first);
    if (sorted_.form == DownloadForm::canvas) parsed = canvas_name(first);
    if (sorted_.form == DownloadForm::folders) parsed = folder_name(first, folder);
    // Without a number, an entry that leads out of an archive could be anybody's.
    if (!parsed || parsed->student.id.empty() || parsed->student.id == "..") {
      sorted_.nobodys.push_back(on_one_line(file.path));
    } else {
      sorted_.files.push_back(handed_in(file, std::move(*parsed)));
    }
  }

  HandedIn handed_in(const HandedFile& file, Parsed parsed) {
    parsed.student.name = on_one_line(parsed.student.name);
    const bool flat = first_part(file.path).size() == file.path.size();
    HandedIn handed{parsed.student.id,
                    on_one_line(flat && !parsed.name.empty() ? parsed.name : last_part(file.path)),
                    on_one_line(file.path),
                    {},
                    file.problem,
                    parsed.number,
                    parsed.late,
                    {}};
    if (handed.problem.empty()) take_text(file.bytes, handed);
    sorted_.students.try_emplace(parsed.student.id, parsed.student);
    return handed;
  }

  static void take_text(const std::string& bytes, HandedIn& handed) {
    if (bytes.find('\0') != bytes.npos) {
      handed.problem = {"phrase.why.no-text", {}, {}};
    } else {
      handed.text = bytes;
    }
  }

  std::vector<HandedFile> files_;
  Download sorted_;
};

}  // namespace

device::Expected<Download> sort_download(std::vector<HandedFile> files) {
  return Sorter(std::move(files)).sort();
}

std::optional<std::int64_t> parse_time(std::string_view text) {
  static const std::regex form(
      R"(^\s*(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s*(Z|UTC|([+-])(\d\d):?(\d\d))\s*$)");
  std::cmatch match;
  if (text.size() > kLongestName ||
      !std::regex_match(text.data(), text.data() + text.size(), match, form))
    return {};
  const auto at = [&](int group) {
    return match[group].matched ? static_cast<int>(number_in(match[group])) : 0;
  };
  using namespace std::chrono;
  const year_month_day date{year(at(1)), month(static_cast<unsigned>(at(2))),
                            day(static_cast<unsigned>(at(3)))};
  if (!date.ok() || at(4) > 23 || at(5) > 59 || at(6) > 60) return {};
  const seconds local =
      sys_days(date).time_since_epoch() + hours(at(4)) + minutes(at(5)) + seconds(at(6));
  const seconds zone = hours(at(9)) + minutes(at(10));
  return (match[8] == "-" ? local + zone : local - zone).count();
}

}  // namespace warpbook::lab
