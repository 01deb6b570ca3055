#include "lab/model/binary.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>

#include "lab/exhibits/curve/curve_summary.hpp"

namespace warpbook::lab {
namespace {

using device::ErrorCode;

static_assert(std::endian::native == std::endian::little, "the binary form is memory as it lies");

constexpr std::uint64_t kFnvOffset = 0xcbf29ce484222325;  // FNV-1a, 64 bits (Fowler, Noll, Vo)
constexpr std::uint64_t kFnvPrime = 0x100000001b3;

struct Envelope {
  char magic[8];
  FormKind what;
  std::uint32_t version;
  std::uint64_t payload_bytes;
  std::uint64_t payload_checksum;
};
static_assert(sizeof(Envelope) == kEnvelopeBytes);

std::string name_of(FormKind what) { return what == FormKind::report ? "report" : "launch record"; }

template <class T>
std::vector<std::byte> written(FormKind what, const T& value) {
  BinaryWriter writer;
  writer(value);
  const std::vector<std::byte>& payload = writer.bytes();
  Envelope envelope{{}, what, kFormVersion, payload.size(), checksum(payload)};
  std::copy(kFormMagic.begin(), kFormMagic.end(), envelope.magic);
  std::vector<std::byte> bytes(kEnvelopeBytes + payload.size());
  std::memcpy(bytes.data(), &envelope, kEnvelopeBytes);
  std::copy(payload.begin(), payload.end(), bytes.begin() + kEnvelopeBytes);
  return bytes;
}

/// Renderers index a tensor by its shape, so a shape that the data does not fill is refused here.
void require_whole(const TensorExhibit& tensor) {
  const std::uint64_t elements = count(tensor);
  const std::uint64_t held = tensor.data.size() / device::size_of(tensor.type);
  if (elements != held || tensor.data.size() % device::size_of(tensor.type) != 0) {
    throw DamagedForm("a tensor whose data does not fit its shape");
  }
  const auto outside = [=](std::uint64_t index) { return index >= elements; };
  if (std::any_of(tensor.wrong.begin(), tensor.wrong.end(), outside)) {
    throw DamagedForm("a wrong element outside its tensor");
  }
}

void require_whole(const AccessesExhibit& accesses) {
  for (const AccessesExhibit::Array& array : accesses.arrays) require_whole(array.tensor);
  for (const AccessesExhibit::Wire& wire : accesses.wires) {
    if (wire.array >= accesses.arrays.size())
      throw DamagedForm("a wire to an array that is not there");
    if (wire.thread >= accesses.block.count())
      throw DamagedForm("a wire from a thread that is not there");
  }
}

void require_whole(const ImageExhibit& image) {
  require_whole(image.pixels);
  if (image.writes.size() != count(image.pixels) || image.writer.size() != image.writes.size())
    throw DamagedForm("a picture without a writer for each pixel");
}

void require_whole(const SectorsExhibit& sectors) {
  for (const SectorsExhibit::Place& place : sectors.places) {
    if (place.array >= sectors.arrays.size())
      throw DamagedForm("an access to an array that is not there");
  }
  for (const SectorsExhibit::Request& request : sectors.requests) {
    if (request.place >= sectors.places.size()) throw DamagedForm("a request of no access");
    for (const SectorsExhibit::Lane& lane : request.lanes) {
      if (lane.lane >= device::kLanes || lane.array >= sectors.arrays.size())
        throw DamagedForm("a lane that is not there");
    }
  }
  if (sectors.chosen >= std::max<std::size_t>(1, sectors.requests.size()))
    throw DamagedForm("a chosen request that is not there");
}

void require_whole(const CurveExhibit& curve) {
  require_whole(curve.x);
  const std::uint64_t points = count(curve.x);
  if (points > kMostCurvePoints || curve.element.size() != points || curve.chosen > points)
    throw DamagedForm("a curve whose points are not there");
  for (const CurveExhibit::Series& series : curve.series) {
    require_whole(series.values);
    if (count(series.values) != points || series.slope.value_or(0) >= curve.series.size())
      throw DamagedForm("a curve without a value for each point");
  }
}

void require_whole(const SlidingWindowExhibit& window) {
  require_whole(window.input);
  require_whole(window.weights);
  // As many as the tensors hold may be shown; whether shapes and settings belong together, sizes_of() judges.
  const auto element = [](const SlidingWindowExhibit::Output& output) { return output.element; };
  if (std::ranges::adjacent_find(window.outputs, std::ranges::greater_equal{}, element) !=
      window.outputs.end())
    throw DamagedForm("outputs out of order");
  std::uint64_t outputs = 0;
  if (__builtin_mul_overflow(window.out_rows, window.out_columns, &outputs) ||
      __builtin_mul_overflow(outputs, window.filters, &outputs) ||
      (!window.outputs.empty() && window.outputs.back().element >= outputs))
    throw DamagedForm("an output that is not there");
  if (window.chosen >= std::max<std::size_t>(1, window.outputs.size()))
    throw DamagedForm("a chosen output that is not there");
}

void require_whole(const RooflineExhibit& roofline) {
  const auto held = [&](const RooflineExhibit::Point& point) {
    return point.ceiling < std::max<std::size_t>(1, roofline.ceilings.size());
  };
  if (!std::ranges::all_of(roofline.points, held))
    throw DamagedForm("a point below a roof that is not there");
  if (roofline.chosen >= std::max<std::size_t>(1, roofline.points.size()))
    throw DamagedForm("a chosen point that is not there");
}

void require_whole(const ComparisonExhibit& comparison) {
  for (const ComparisonExhibit::Source& source : comparison.sources) {
    if (std::max(source.costs_a.size(), source.costs_b.size()) > source.lines.size())
      throw DamagedForm("costs of lines that are not there");
  }
}

void require_whole(const Report& report) {
  for (const Exhibit& exhibit : report.exhibits) {
    if (const auto* tensor = std::get_if<TensorExhibit>(&exhibit.value)) require_whole(*tensor);
    if (const auto* accesses = std::get_if<AccessesExhibit>(&exhibit.value))
      require_whole(*accesses);
    if (const auto* image = std::get_if<ImageExhibit>(&exhibit.value)) require_whole(*image);
    if (const auto* sectors = std::get_if<SectorsExhibit>(&exhibit.value)) require_whole(*sectors);
    if (const auto* curve = std::get_if<CurveExhibit>(&exhibit.value)) require_whole(*curve);
    if (const auto* window = std::get_if<SlidingWindowExhibit>(&exhibit.value))
      require_whole(*window);
    if (const auto* roofline = std::get_if<RooflineExhibit>(&exhibit.value))
      require_whole(*roofline);
    if (const auto* comparison = std::get_if<ComparisonExhibit>(&exhibit.value))
      require_whole(*comparison);
  }
}

void require_whole(const device::LaunchRecord& record) {
  for (const device::Access& access : record.trace) {
    if (access.instruction >= record.instructions.size())
      throw DamagedForm("an access by no instruction");
  }
}

tl::unexpected<device::Error> damaged(FormKind what, std::string why) {
  return device::failure(ErrorCode::binary_damaged,
                         {{"what", name_of(what)}, {"why", std::move(why)}});
}

template <class T>
device::Expected<T> read(FormKind what, std::span<const std::byte> bytes) {
  Envelope envelope{};
  if (bytes.size() < kEnvelopeBytes) return damaged(what, "it ends too early");
  std::memcpy(&envelope, bytes.data(), kEnvelopeBytes);
  if (std::string_view(envelope.magic, sizeof envelope.magic) != kFormMagic)
    return damaged(what, "it is something else");
  // A newer version is named before anything else is judged, since its envelope alone can be relied on.
  if (envelope.version > kFormVersion) {
    return device::failure(ErrorCode::binary_newer, {{"what", name_of(what)},
                                                     {"version", std::to_string(envelope.version)},
                                                     {"known", std::to_string(kFormVersion)}});
  }
  if (envelope.version == 0 || envelope.what != what) return damaged(what, "it is something else");
  const std::span<const std::byte> payload = bytes.subspan(kEnvelopeBytes);
  if (envelope.payload_bytes != payload.size())
    return damaged(what, "its length is not what it says");
  if (envelope.payload_checksum != checksum(payload)) return damaged(what, "its checksum is wrong");
  try {
    T value;
    BinaryReader reader(payload);
    reader(value);
    if (!reader.at_end()) return damaged(what, "something stands after its end");
    require_whole(value);
    return value;
  } catch (const DamagedForm& form) {
    return damaged(what, form.what());
  }
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) {
  std::uint64_t hash = kFnvOffset;
  const auto mix = [&](std::uint64_t word) {
    hash = (hash ^ word) * kFnvPrime;
    hash ^=
        hash >> 29;  // FNV carries upwards only; a word's high bytes must reach the low ones too
  };
  std::span<const std::byte> rest = bytes;
  for (; rest.size() >= sizeof(std::uint64_t); rest = rest.subspan(sizeof(std::uint64_t))) {
    std::uint64_t word = 0;
    std::memcpy(&word, rest.data(), sizeof word);
    mix(word);
  }
  std::uint64_t word = 0;
  if (!rest.empty()) std::memcpy(&word, rest.data(), rest.size());
  mix(word);
  mix(bytes.size());
  return hash;
}

device::ErrorCode BinaryReader::code_named(std::string_view name) {
  for (const ErrorCode code : device::all_error_codes()) {
    if (device::name_of(code) == name) return code;
  }
  throw DamagedForm("an error that does not exist");
}

std::uint64_t hash_of(const Inputs& inputs) {
  BinaryWriter writer;
  writer(inputs);
  return checksum(writer.bytes());
}

std::vector<std::byte> to_binary(const Report& report) { return written(FormKind::report, report); }

device::Expected<Report> report_from_binary(std::span<const std::byte> bytes) {
  return read<Report>(FormKind::report, bytes);
}

std::vector<std::byte> to_binary(const device::LaunchRecord& record) {
  return written(FormKind::launch_record, record);
}

device::Expected<device::LaunchRecord> launch_record_from_binary(std::span<const std::byte> bytes) {
  return read<device::LaunchRecord>(FormKind::launch_record, bytes);
}

}  // namespace warpbook::lab
