#include "model/distribution/cdf_integral.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace softwood {
namespace {

constexpr double kMaxSum = 1024;
constexpr double kTolerance = 1e-5;  // between Gauss and Kronrod; the latter is far better
constexpr int kMaxHalvings = 14;
constexpr double kFarApart = 4;

/// Gauss–Kronrod 7–15 on [−1, 1] (Piessens et al. 1983, QUADPACK, qk15): odd nodes are Gauss's.
struct Node {
  double place, kronrod, gauss;
};
constexpr std::array<Node, 15> kNodes = {{
    {-0.991455371120812639206854697526329, 0.022935322010529224963732008058970, 0},
    {-0.949107912342758524526189684047851, 0.063092092629978553290700663189204,
     0.129484966168869693270611432679082},
    {-0.864864423359769072789712788640926, 0.104790010322250183839876322541518, 0},
    {-0.741531185599394439863864773280788, 0.140653259715525918745189590510238,
     0.279705391489276667901467771423780},
    {-0.586087235467691130294144691693013, 0.169004726639267902826583426598550, 0},
    {-0.405845151377397166906606412076961, 0.190350578064785409913256402421014,
     0.381830050505118944950369775488975},
    {-0.207784955007898467600689403773245, 0.204432940075298892414161999234649, 0},
    {0, 0.209482141084727828012999174891714, 0.417959183673469387755102040816327},
    {0.207784955007898467600689403773245, 0.204432940075298892414161999234649, 0},
    {0.405845151377397166906606412076961, 0.190350578064785409913256402421014,
     0.381830050505118944950369775488975},
    {0.586087235467691130294144691693013, 0.169004726639267902826583426598550, 0},
    {0.741531185599394439863864773280788, 0.140653259715525918745189590510238,
     0.279705391489276667901467771423780},
    {0.864864423359769072789712788640926, 0.104790010322250183839876322541518, 0},
    {0.949107912342758524526189684047851, 0.063092092629978553290700663189204,
     0.129484966168869693270611432679082},
    {0.991455371120812639206854697526329, 0.022935322010529224963732008058970, 0},
}};

/// A piece of one range. Pieces whose ends differ by orders of magnitude are seen on a logarithmic
/// scale, where tails and powers are smooth.
struct Panel {
  std::size_t range;
  double low, high;
  double log_ratio = 0;  // of the ends; 0 = on the ordinary scale

  static Panel between(std::size_t range, double low, double high) {
    const bool far = low > 0 ? high > kFarApart * low : high < 0 && low < kFarApart * high;
    return {range, low, high, far ? std::log(high / low) : 0};
  }
  double point(double place) const {
    const double share = (1 + place) / 2;
    return log_ratio == 0 ? low + share * (high - low) : low * std::exp(share * log_ratio);
  }
  /// Where it is halved: next to 0, where scales are short, far from the other end.
  double middle() const {
    constexpr double kStep = 1.0 / 64;
    if (low == 0) return kStep * high;
    if (high == 0) return kStep * low;
    return point(0);
  }
  /// dz/dplace.
  double slope(double z) const { return (log_ratio == 0 ? high - low : z * log_ratio) / 2; }
};

/// Ends, pivot, bend and 0, where they are inside.
void add_panels(std::size_t index, const CdfRange& range, std::vector<Panel>& panels) {
  std::array<double, 5> cuts = {range.low, range.pivot, range.bend, 0.0, range.high};
  for (double& cut : cuts) cut = std::clamp(cut, range.low, range.high);
  std::sort(cuts.begin(), cuts.end());
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    if (cuts[i] < cuts[i + 1]) panels.push_back(Panel::between(index, cuts[i], cuts[i + 1]));
  }
}

/// Between whole numbers the cdf is constant; the pivot may cut such a cell in two.
void add_cells(std::size_t index, const CdfRange& range, std::vector<Panel>& cells) {
  double from = range.low;
  const auto add_until = [&](double end) {
    if (end > from) cells.push_back({index, from, end, 0});
    from = std::max(from, end);
  };
  for (double next = std::floor(range.low) + 1; from < range.high; ++next) {
    const double end = std::min(next, range.high);
    if (range.pivot < end) add_until(range.pivot);
    add_until(end);
  }
}

/// Beyond 2^53 whole numbers are not one apart.
bool has_few_cells(const CdfRange& range) {
  return range.high - range.low <= kMaxSum &&
         std::max(std::abs(range.low), std::abs(range.high)) < 0x1.0p53;
}

class Integral {
 public:
  Integral(const MixtureCdf& cdf, std::span<const CdfRange> ranges, CdfIntegrand integrand,
           std::span<double> out)
      : cdf_(cdf), ranges_(ranges), integrand_(integrand), out_(out), sizes_(ranges.size(), 0.0) {}

  void run() {
    std::vector<Panel> panels, cells;
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      const CdfRange& range = ranges_[i];
      out_[i] = 0;
      if (!std::isfinite(range.low) || !std::isfinite(range.high)) {
        out_[i] = std::numeric_limits<double>::quiet_NaN();
      } else if (cdf_.is_discrete() && has_few_cells(range)) {
        add_cells(i, range, cells);
      } else {
        add_panels(i, range, panels);
      }
    }
    sum_cells(cells);
    for (int halvings = 0; !panels.empty(); ++halvings)
      panels = refine(panels, halvings < kMaxHalvings);
  }

 private:
  void sum_cells(const std::vector<Panel>& cells) {
    points_.clear();
    std::vector<std::uint32_t> rows;
    for (const Panel& cell : cells) {
      points_.push_back(cell.low);
      rows.push_back(ranges_[cell.range].row);
    }
    evaluate(rows);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Panel& cell = cells[i];
      const double distance = (cell.low + cell.high) / 2 - ranges_[cell.range].pivot;
      out_[cell.range] += (cell.high - cell.low) * integrand_(values_[i], distance);
    }
  }

  /// Adds what is good enough to the results and returns the halves of the rest.
  std::vector<Panel> refine(const std::vector<Panel>& panels, bool may_split) {
    find_cdf_at_nodes(panels);
    std::vector<double> gauss(panels.size(), 0.0), kronrod(panels.size(), 0.0);
    for (std::size_t i = 0; i < panels.size(); ++i)
      add_up_nodes(panels[i], i, gauss[i], kronrod[i]);
    note_sizes(panels, kronrod);
    std::vector<Panel> halves;
    for (std::size_t i = 0; i < panels.size(); ++i) {
      const Panel& panel = panels[i];
      const double middle = panel.middle();
      // A cdf that is NaN never gets better: the comparison is false then.
      const bool rough = std::abs(kronrod[i] - gauss[i]) > kTolerance * sizes_[panel.range];
      if (may_split && rough && panel.low < middle && middle < panel.high) {
        halves.push_back(Panel::between(panel.range, panel.low, middle));
        halves.push_back(Panel::between(panel.range, middle, panel.high));
      } else {
        out_[panel.range] += kronrod[i];
      }
    }
    return halves;
  }

  void add_up_nodes(const Panel& panel, std::size_t index, double& gauss, double& kronrod) const {
    for (std::size_t node = 0; node < kNodes.size(); ++node) {
      const double z = nodes_[index * kNodes.size() + node];
      const double cdf = values_[index * kNodes.size() + node];
      const double value = integrand_(cdf, z - ranges_[panel.range].pivot) * panel.slope(z);
      gauss += kNodes[node].gauss * value;
      kronrod += kNodes[node].kronrod * value;
    }
  }

  /// The first panels cover everything: their sum says what is small.
  void note_sizes(const std::vector<Panel>& panels, const std::vector<double>& integrals) {
    if (knows_sizes_) return;
    for (std::size_t i = 0; i < panels.size(); ++i)
      sizes_[panels[i].range] += std::abs(integrals[i]);
    knows_sizes_ = true;
  }

  /// Fills nodes_ and values_, panel after panel.
  void find_cdf_at_nodes(const std::vector<Panel>& panels) {
    nodes_.clear();
    std::vector<std::uint32_t> rows;
    for (const Panel& panel : panels) {
      for (const Node& node : kNodes) nodes_.push_back(panel.point(node.place));
      rows.insert(rows.end(), kNodes.size(), ranges_[panel.range].row);
    }
    points_ = nodes_;
    if (cdf_.is_discrete()) {
      find_smoothed(panels, rows);
    } else {
      evaluate(rows);
    }
  }

  /// A staircase, as a polygon through the middles of its steps: their integrals agree up to the
  /// squares of one step over the whole. The first step is kept as it is: zeros are often many.
  void find_smoothed(const std::vector<Panel>& panels, const std::vector<std::uint32_t>& rows) {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const double first = std::floor(ranges_[panels[i / kNodes.size()].range].low);
      points_[i] = std::max(std::floor(nodes_[i] - 0.5), first);
    }
    evaluate(rows);
    const std::vector<double> here = values_;
    for (double& point : points_) point += 1;
    evaluate(rows);
    for (std::size_t i = 0; i < here.size(); ++i) {
      const double share = std::max(nodes_[i] + 0.5 - points_[i], 0.0);
      values_[i] = here[i] + share * (values_[i] - here[i]);
    }
  }

  void evaluate(const std::vector<std::uint32_t>& rows) {
    values_.resize(points_.size());
    cdf_.at(rows, points_, values_);
  }

  const MixtureCdf& cdf_;
  std::span<const CdfRange> ranges_;
  CdfIntegrand integrand_;
  std::span<double> out_;
  std::vector<double> sizes_;  // of each range's integral, roughly
  bool knows_sizes_ = false;
  std::vector<double> nodes_, points_, values_;
};

}  // namespace

void integrate_cdf(const MixtureCdf& cdf, std::span<const CdfRange> ranges, CdfIntegrand integrand,
                   std::span<double> out) {
  Integral(cdf, ranges, integrand, out).run();
}

}  // namespace softwood
