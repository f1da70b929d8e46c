"""What people do with money together: savings groups and campaigns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .request import Page, Requests
from .transport import CallOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import shapes


class Groups:
    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self, query: shapes.ListGroupsQuery | None = None, **call: Unpack[CallOptions]
    ) -> Page[shapes.ListGroupsItem]:
        return self._requests.page("/api/groups", query=query, call=call)

    def create(self, body: shapes.CreateGroupBody, **call: Unpack[CallOptions]) -> shapes.CreateGroupData:
        answer: shapes.CreateGroupData = self._requests.data("POST", "/api/groups", body=body, call=call)
        return answer

    def get(self, id: str, **call: Unpack[CallOptions]) -> shapes.GetGroupData:
        answer: shapes.GetGroupData = self._requests.data("GET", "/api/groups/:id", params={"id": id}, call=call)
        return answer

    def join(
        self, id: str, body: shapes.JoinGroupBody | None = None, **call: Unpack[CallOptions]
    ) -> shapes.JoinGroupData:
        answer: shapes.JoinGroupData = self._requests.data(
            "POST", "/api/groups/:id/join", params={"id": id}, body=body, call=call
        )
        return answer

    def leave(self, id: str, **call: Unpack[CallOptions]) -> None:
        self._requests.data("POST", "/api/groups/:id/leave", params={"id": id}, call=call)

    def contribute(
        self, id: str, body: shapes.ContributeToGroupBody, **call: Unpack[CallOptions]
    ) -> shapes.ContributeToGroupData:
        answer: shapes.ContributeToGroupData = self._requests.data(
            "POST", "/api/groups/:id/contribute", params={"id": id}, body=body, call=call
        )
        return answer

    def propose_payout(
        self, id: str, body: shapes.ProposeGroupPayoutBody, **call: Unpack[CallOptions]
    ) -> shapes.ProposeGroupPayoutData:
        answer: shapes.ProposeGroupPayoutData = self._requests.data(
            "POST", "/api/groups/:id/payouts", params={"id": id}, body=body, call=call
        )
        return answer

    def approve_payout(self, id: str, payout_id: str, **call: Unpack[CallOptions]) -> shapes.ApproveGroupPayoutData:
        answer: shapes.ApproveGroupPayoutData = self._requests.data(
            "POST", "/api/groups/:id/payouts/:payout_id/approve", params={"id": id, "payout_id": payout_id}, call=call
        )
        return answer


class Campaigns:
    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def browse(
        self, query: shapes.BrowseCampaignsQuery | None = None, **call: Unpack[CallOptions]
    ) -> Page[shapes.BrowseCampaignsItem]:
        return self._requests.page("/api/campaigns/browse", query=query, call=call)

    def create(self, body: shapes.CreateCampaignBody, **call: Unpack[CallOptions]) -> shapes.CreateCampaignData:
        answer: shapes.CreateCampaignData = self._requests.data("POST", "/api/campaigns", body=body, call=call)
        return answer

    def get(self, id: str, **call: Unpack[CallOptions]) -> shapes.GetCampaignData:
        answer: shapes.GetCampaignData = self._requests.data("GET", "/api/campaigns/:id", params={"id": id}, call=call)
        return answer

    def contribute(
        self, id: str, body: shapes.ContributeToCampaignBody, **call: Unpack[CallOptions]
    ) -> shapes.ContributeToCampaignData:
        answer: shapes.ContributeToCampaignData = self._requests.data(
            "POST", "/api/campaigns/:id/contribute", params={"id": id}, body=body, call=call
        )
        return answer

    def withdraw(
        self, id: str, body: shapes.WithdrawFromCampaignBody, **call: Unpack[CallOptions]
    ) -> shapes.WithdrawFromCampaignData:
        """What was raised, to the owner's wallet."""
        answer: shapes.WithdrawFromCampaignData = self._requests.data(
            "POST", "/api/campaigns/:id/withdraw", params={"id": id}, body=body, call=call
        )
        return answer

    def preview_withdrawal(
        self, id: str, body: shapes.PreviewCampaignWithdrawalBody | None = None, **call: Unpack[CallOptions]
    ) -> shapes.PreviewCampaignWithdrawalData:
        """Fee, and what arrives; moves nothing."""
        answer: shapes.PreviewCampaignWithdrawalData = self._requests.data(
            "POST", "/api/campaigns/:id/withdraw/preview", params={"id": id}, body=body, call=call
        )
        return answer
